package gambit.app.command.management;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.CommandResult;
import gambit.app.LocalRelay;
import gambit.app.server.reload.ControlFile;
import gambit.app.server.web.PackagedPage;
import gambit.core.testkit.AdminCalls;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gambit admin link} and the relay that it asks. */
class AdminLinkTest {
  @TempDir private Path data;

  private CommandResult link() {
    return CommandResult.of("admin", "link", "--data", data.toString());
  }

  private int statusForTheFirst() throws Exception {
    return ControlFile.ofRunning(data)
        .post(ManagementChannel.LINK_PATH, ManagementChannel.FIRST)
        .status();
  }

  private static String call(URI url, String body) {
    long now = System.currentTimeMillis() / 1000;
    String login = AdminCalls.header(AdminCalls.login(now, url.toString(), body));
    return AdminCalls.post(url, AdminCalls.MEDIA_TYPE, body, login).body();
  }

  @Test
  void whoOpensTheLinkIsTheFirstAdminAndFurtherLinksAreForOthers() throws Exception {
    Assumptions.assumeTrue(
        PackagedPage.load().files().containsKey("/admin"), "the page is not built");
    try (LocalRelay relay = LocalRelay.withControl(data)) {
      assertThat(statusForTheFirst()).isEqualTo(200);
      String link = link().output();
      assertThat(link).matches("http://localhost:" + relay.port() + "/admin#link=[\\w-]{20,}");
      URI url = URI.create("http://localhost:" + relay.port());
      String code = link.substring(link.indexOf('=') + 1);
      assertThat(call(url, "{\"method\":\"claimadmin\",\"params\":[\"" + code + "\"]}"))
          .isEqualTo("{\"result\":true}");
      assertThat(call(url, "{\"method\":\"whoami\",\"params\":[]}")).contains("\"admin\":true");
      assertThat(statusForTheFirst()).isEqualTo(ManagementChannel.EXISTS);
      assertThat(link().output()).contains("/admin#link=").isNotEqualTo(link);
    }
  }

  @Test
  void aRelayWithoutThePageNamesTheSettingInstead() {
    try (LocalRelay relay = LocalRelay.withControl(data, "web.enabled=false")) {
      assertThat(relay.port()).isPositive();
      assertThat(link()).isEqualTo(new CommandResult(1, "", ManagementChannel.NO_PAGE));
    }
  }

  @Test
  void thePageIsAtTheRelaysUrl() {
    assertThat(ManagementChannel.pageOf("wss://relay.example.com"))
        .isEqualTo("https://relay.example.com/admin");
    assertThat(ManagementChannel.pageOf("ws://localhost:7447/"))
        .isEqualTo("http://localhost:7447/admin");
  }
}
