package gambit.app.faults;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.GambitProcess;
import gambit.core.crypto.Signer;
import gambit.core.testkit.AdminCalls;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.ThoroughOnly;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A relay that is killed while somebody uses the link for an admin: the link works exactly once.
 */
@ThoroughOnly
class AdminLinkAfterKillsIT {
  private static final Signer BOB = Keys.of("bob");
  private static final Signer CAROL = Keys.of("carol");

  @Test
  void linkMakesOneAdminWheneverTheRelayIsKilled(@TempDir Path temp) throws Exception {
    Random random = new Random();
    for (int i = 0; i < TestEffort.of(1, 100); i++) {
      Path data = temp.resolve("data" + i);
      String code;
      boolean isAnswered;
      try (GambitProcess relay = relay(data)) {
        String link = call(relay, AdminCalls.ADMIN, "adminlink").join().body();
        code = link.replaceFirst(".*\"code\":\"([^\"]+)\".*", "$1");
        CompletableFuture<Boolean> claim =
            call(relay, BOB, "claimadmin", code)
                .handle((answer, failure) -> failure == null && answer.statusCode() == 200);
        claim.copy().completeOnTimeout(false, random.nextInt(30_000), TimeUnit.MICROSECONDS).join();
        relay.kill();
        isAnswered = claim.join();
        assertThat(relay.errors()).doesNotContain(code, "ERROR");
      }
      try (GambitProcess relay = relay(data)) {
        boolean isBobAdmin = call(relay, BOB, "whoami").join().statusCode() == 200;
        boolean isLinkUsed = call(relay, CAROL, "claimadmin", code).join().statusCode() == 403;
        assertThat(isLinkUsed).isEqualTo(isBobAdmin);
        assertThat(isBobAdmin || !isAnswered).as("what was acknowledged").isTrue();
      }
    }
  }

  private static GambitProcess relay(Path data) throws Exception {
    return GambitProcess.relay(data, "--set", "management.admins=" + AdminCalls.ADMIN.pubkey());
  }

  private static CompletableFuture<HttpResponse<String>> call(
      GambitProcess relay, Signer signer, String method, String... params) {
    String list = params.length == 0 ? "" : "\"" + String.join("\",\"", params) + "\"";
    String body = "{\"method\":\"" + method + "\",\"params\":[" + list + "]}";
    URI url = URI.create(relay.url().toString().replaceFirst("^ws", "http"));
    String login =
        AdminCalls.header(
            AdminCalls.login(signer, Instant.now().getEpochSecond(), url.toString(), body));
    return AdminCalls.post(url, AdminCalls.MEDIA_TYPE, body, login, AdminCalls.ADDRESS);
  }
}
