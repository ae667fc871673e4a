package gambit.app.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.CommandResult;
import gambit.app.GambitProcess;
import gambit.app.LocalRelay;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Flags, files, banner and exit status of the program. */
class ProgramIT {
  private static final Pattern HEAP_ADVICE =
      Pattern.compile("or give java: (-XX:\\+UseSerialGC -Xms\\d+m .*)");

  @TempDir Path data;
  @TempDir Path temporary;

  /** The first start is of the jar alone, without the launch script's options. */
  @Test
  void theBannerDescribesTheRelayWhoseKeyAndEventsSurviveSigtermAndARestart() throws Exception {
    String first;
    String log;
    long now = System.currentTimeMillis() / 1000;
    List<String> options = GambitProcess.quick("-Djava.io.tmpdir=" + temporary);
    try (GambitProcess relay = GambitProcess.relayOfJar(options, data);
        Client client = new Client(relay.url())) {
      JsonNode information = informationOf(relay);
      first = information.path("self").asText();
      assertThat(URI.create(information.path("software").asText())).hasScheme("https");
      assertThat(relay.banner().get(0)).matches("Gambit .* listens on ws://localhost:\\d+");
      assertThat(relay.banner().get(1)).matches("  metrics     http://localhost:\\d+/metrics");
      assertThat(relay.banner().get(2)).isEqualTo("  public key  " + first);
      assertThat(relay.banner().get(3)).isEqualTo("  data        " + data.toAbsolutePath());
      assertThat(relay.banner().get(4)).isEqualTo("  store       on disk, 0 events");
      assertThat(relay.banner().get(5)).matches("  web page    (none|http://localhost:\\d+)");
      Path key = data.resolve("relay.key");
      assertThat(Files.readString(key)).matches("[0-9a-f]{64}\\n");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
          .isEqualTo("rw-------");
      client.publishAccepted(Keys.of("alice").sign(now, 1, Tags.NONE, "hello"));
      client.publishAccepted(Keys.of("alice").sign(now, 20_001, Tags.NONE, "ephemeral"));
      assertThat(temporary).isEmptyDirectory();
      assertThat(relay.terminate().exitStatus()).isZero();
      assertThat(client.awaitClose()).isEqualTo(1001);
      log = relay.errors();
    }
    try (GambitProcess relay = GambitProcess.relay(data);
        Client client = new Client(relay.url())) {
      assertThat(informationOf(relay).path("self").asText()).isEqualTo(first);
      assertThat(relay.banner().get(4)).isEqualTo("  store       on disk, 1 event");
      assertThat(client.queryIds("{}")).hasSize(1);
      assertIsReportedAsInUse(data);
      if (OS.LINUX.isCurrentOs()) {
        assertHasTheOptionsThatAreAdvised(relay, log);
        assertUsesTheLibrariesThatTheBuildUnpacked(relay);
      }
    }
  }

  /** A start of the jar without a size of the heap names the options of the launch script. */
  private static void assertHasTheOptionsThatAreAdvised(GambitProcess relay, String logOfTheJar)
      throws IOException {
    Matcher advice = HEAP_ADVICE.matcher(logOfTheJar);
    assertThat(advice.find()).as(logOfTheJar).isTrue();
    String command = Files.readString(Path.of("/proc/" + relay.pid() + "/cmdline"));
    assertThat(command.replace('\0', ' ')).contains(advice.group(1));
    assertThat(relay.errorsSoFar()).doesNotContainPattern(HEAP_ADVICE);
  }

  private static void assertUsesTheLibrariesThatTheBuildUnpacked(GambitProcess relay)
      throws IOException {
    Path directory = GambitProcess.DIRECTORY.resolve("native");
    String mapped = Files.readString(Path.of("/proc/" + relay.pid() + "/maps"));
    for (String library :
        List.of("liblmdb", "libjffi", "libsecp256k1", "libnetty_transport_native_epoll")) {
      assertThat(mapped).contains(directory.resolve(library).toString());
    }
    assertThat(mapped).as("no library is unpacked again").doesNotContain(".so (deleted)");
  }

  private static void assertIsReportedAsInUse(Path data) throws IOException {
    try (GambitProcess second =
        GambitProcess.run("--port", "0", "--metrics-port", "0", "--data", "" + data)) {
      assertRefuses(second, "--data: another process is using " + data + ".");
    }
  }

  /** {@code StartFailureTest} tests the other messages. */
  @Test
  void aStartFailureIsOneSentenceWithExitStatusOne() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        GambitProcess program =
            GambitProcess.run(
                "--port", "" + taken.getLocalPort(), "--metrics-port", "0", "--data", "" + data)) {
      assertRefuses(
          program, "--listen, --port: cannot listen on 127.0.0.1:" + taken.getLocalPort() + ": ");
    }
  }

  @Test
  void aMissingNativeLibraryIsReported() throws Exception {
    List<String> options = List.of("-Dos.arch=pdp11", "-Dfr.acinq.secp256k1.lib.path=" + temporary);
    try (GambitProcess program =
        GambitProcess.runWith(options, "--port", "0", "--data", "" + data)) {
      assertRefuses(
          program, "There is no native secp256k1 library for this machine (Linux, pdp11)");
    }
  }

  @Test
  void metricsContainTheCountsOfTheRelayAndOfChess() throws Exception {
    try (GambitProcess relay = GambitProcess.relay(data);
        Client alice = new Client(relay.url());
        Client bob = new Client(relay.url())) {
      long now = System.currentTimeMillis() / 1000;
      alice.publish(Keys.of("alice"), now, 1, "hello");
      alice.next();
      alice.send("[\"EVENT\",{\"id\":\"x\"}]").next();
      alice.send("[\"REQ\",\"a\",{\"limit\":0}]").next();
      alice.publish(Keys.of("alice"), now, 5000, "connect");
      bob.publish(Keys.of("bob"), now, 5000, "connect");
      bob.until("EVENT");
      alice.until("EVENT");
      await()
          .untilAsserted(
              () ->
                  assertThat(get(relay.metricsUrl()).body().lines())
                      .contains(
                          "gambit_events_total{verdict=\"accepted\"} 3.0",
                          "gambit_events_total{verdict=\"invalid\"} 1.0",
                          "gambit_connections 2.0",
                          "gambit_subscriptions 1.0",
                          "gambit_chess_searching 0.0",
                          "gambit_chess_games 1.0",
                          "gambit_chess_moves_total 0.0",
                          "gambit_chess_endings_total{termination=\"checkmate\"} 0.0"));
      assertThat(get(relay.metricsUrl()).body())
          .contains(
              "jvm_memory_used_bytes",
              "jvm_threads_live_threads",
              "process_cpu",
              "process_files_open_files");
      URI elsewhere = relay.metricsUrl().resolve("/elsewhere");
      assertThat(get(elsewhere).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void eventsForAConfiguredUrlAreAccepted() throws Exception {
    try (LocalRelay relay = new LocalRelay(data, 0, "relay.url=wss://other.example");
        Client alice = new Client(relay.uri())) {
      long now = System.currentTimeMillis() / 1000;
      var tags = new Tags(List.of(List.of("relay", "wss://other.example/")));
      alice.publish(Keys.of("alice").sign(now, 5000, tags, "connect"));
      assertThat(alice.next()).endsWith(",true,\"\"]");
    }
  }

  @Test
  void eventsForTheUrlOfTheBannerAreAccepted() throws Exception {
    try (GambitProcess relay =
        GambitProcess.run(
            "--listen", "::1", "--port", "0", "--metrics-port", "0", "--data", "" + data)) {
      String url = relay.firstLine().replaceAll(".* listens on ", "");
      assertThat(url).matches("ws://\\[::1]:\\d+");
      try (Client alice = new Client(URI.create(url))) {
        var tags = new Tags(List.of(List.of("relay", url)));
        long now = System.currentTimeMillis() / 1000;
        alice.publish(Keys.of("alice").sign(now, 5000, tags, "connect"));
        assertThat(alice.next()).endsWith(",true,\"\"]");
      }
    }
  }

  @Test
  void theJarIsOneFileWithinTheSizeLimit() throws IOException {
    assertThat(Files.size(GambitProcess.JAR)).isLessThan(34_000_000);
  }

  @Test
  void versionHelpAndUnknownFlagsAreAnswered() throws Exception {
    try (GambitProcess program = GambitProcess.run("--version")) {
      assertThat(program.exitStatus()).isZero();
      assertThat(program.output()).matches("gambit \\d+\\.\\d+\\.\\d+.*");
    }
    CommandResult help = CommandResult.of("--help");
    assertThat(help.status()).isZero();
    assertThat(help.output())
        .contains(
            "--listen",
            "--port",
            "--data",
            "--metrics-port",
            "--url",
            "--set",
            "--new-key",
            "demo",
            "check",
            "key");
    try (GambitProcess program = GambitProcess.run("--no-such-flag")) {
      assertThat(program.exitStatus()).isNotZero();
      assertThat(program.errors()).contains("--no-such-flag");
    }
  }

  private static void assertRefuses(GambitProcess program, String sentence) {
    assertThat(program.exitStatus()).isEqualTo(1);
    assertThat(
            program.errors().lines().filter(line -> !line.contains(" INFO  [main] Main Gambit ")))
        .as("one sentence")
        .singleElement()
        .asString()
        .startsWith(sentence);
    assertThat(program.output()).isEmpty();
  }

  private static JsonNode informationOf(GambitProcess relay) {
    return Client.parse(Client.httpRequest("GET", relay.url(), "application/nostr+json").body());
  }

  private static HttpResponse<String> get(URI uri) {
    return Client.httpRequest("GET", uri, "text/plain");
  }
}
