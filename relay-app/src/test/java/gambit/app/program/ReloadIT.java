package gambit.app.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.GambitProcess;
import gambit.core.model.Nip19;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.ThoroughOnly;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The configuration file, changed while the packaged program runs. */
class ReloadIT {
  @TempDir Path data;

  private void write(String text) throws Exception {
    Files.writeString(data.resolve("gambit.conf"), text);
  }

  private static String name(GambitProcess relay) {
    return Client.parse(Client.httpRequest("GET", relay.url(), "application/nostr+json").body())
        .path("name")
        .asText();
  }

  private record Result(int status, String output, String errors) {}

  private Result gambitReload() throws Exception {
    try (GambitProcess command = GambitProcess.run("reload", "--data", "" + data)) {
      return new Result(command.exitStatus(), command.output(), command.errors());
    }
  }

  @Test
  void reloadByCommandAndBySignalAppliesTheFileAndABadFileChangesNothing() throws Exception {
    write("relay.name = First");
    try (GambitProcess relay = GambitProcess.relay(data);
        Client client = new Client(relay.url())) {
      assertThat(name(relay)).isEqualTo("First");
      assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("control"))))
          .isEqualTo("rw-------");

      String alice = Keys.of("alice").pubkey().hex();
      long now = System.currentTimeMillis() / 1000;
      client.publishAccepted(Keys.of("alice").sign(now, 1, Tags.NONE, "before"));
      write("relay { name = Second, port = 1 }\nadmission.refused_pubkeys = [" + alice + "]");
      assertThat(gambitReload())
          .isEqualTo(
              new Result(
                  0,
                  "Changed:\n  admission.refused_pubkeys: (empty) -> "
                      + alice
                      + "\n  relay.name: First -> Second",
                  ""));
      assertThat(name(relay)).isEqualTo("Second");
      assertThat(client.answerTo(Keys.of("alice").sign(now, 1, Tags.NONE, "banned")))
          .startsWith("blocked:");

      write("relay.name = Third\nlimits.max_limt = 7");
      Result refused = gambitReload();
      assertThat(refused.status()).isEqualTo(1);
      assertThat(refused.output()).isEmpty();
      assertThat(refused.errors())
          .startsWith(data.resolve("gambit.conf") + ", line 2: limits.max_limt: no such setting");
      assertThat(name(relay)).isEqualTo("Second");

      write("relay.name = Fourth\nrelay.url = [\"wss://relay.example\"]");
      relay.hangUp();
      await().until(() -> name(relay).equals("Fourth"));
      await()
          .until(
              () ->
                  relay
                      .errorsSoFar()
                      .contains("needs a restart: relay.url: (empty) -> wss://relay.example"));
      assertThat(relay.errorsSoFar()).contains("Settings were not reloaded: ");
      String banned = "1 %s (" + Nip19.npub(Keys.of("alice").pubkey()) + "); now ";
      assertThat(relay.errorsSoFar())
          .contains("Banned authors: " + banned.formatted("added") + "1")
          .contains("Banned authors: " + banned.formatted("removed") + "0");
      assertThat(relay.isRunning()).isTrue();
      assertThat(statusWithToken(relay, "")).isEqualTo(401);
      assertThat(statusWithToken(relay, "Bearer " + "0".repeat(64))).isEqualTo(401);

      assertThat(relay.terminate().exitStatus()).isZero();
    }
    assertThat(data.resolve("control")).doesNotExist();
    Result without = gambitReload();
    assertThat(without.status()).isEqualTo(1);
    assertThat(without.errors()).startsWith("--data: no relay is running with " + data);
  }

  @ThoroughOnly
  @Test
  void reloadChangesTheFormatOfTheLogToJsonAndBack() throws Exception {
    try (GambitProcess relay = GambitProcess.relay(data)) {
      write("log.format = json");
      relay.hangUp();
      await().until(() -> logged(relay, "{", "Settings reloaded: log.format: text -> json"));
      write("relay.name = Unrelated");
      relay.hangUp();
      await().until(() -> logged(relay, "2", "Settings reloaded: log.format: json -> text"));
      assertThat(relay.terminate().exitStatus()).isZero();
    }
  }

  /** Whether a line of the log that begins like this contains a message. */
  private static boolean logged(GambitProcess relay, String begin, String message) {
    return relay
        .errorsSoFar()
        .lines()
        .anyMatch(line -> line.startsWith(begin) && line.contains(message));
  }

  private static int statusWithToken(GambitProcess relay, String authorization) throws Exception {
    URL url = relay.metricsUrl().resolve("/control/reload").toURL();
    HttpURLConnection connection = (HttpURLConnection) url.openConnection();
    connection.setRequestMethod("POST");
    connection.setRequestProperty("Authorization", authorization);
    return connection.getResponseCode();
  }
}
