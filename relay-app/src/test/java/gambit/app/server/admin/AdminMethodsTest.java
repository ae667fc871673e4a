package gambit.app.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import gambit.app.CommandResult;
import gambit.app.LocalRelay;
import gambit.core.crypto.Signer;
import gambit.core.model.Tags;
import gambit.core.testkit.AdminCalls;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Calls of an admin over HTTP to the running program. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // with one relay
class AdminMethodsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Signer ALICE = Keys.of("alice");

  @TempDir static Path data;

  private LocalRelay relay;

  @BeforeAll
  void begin() {
    relay =
        LocalRelay.withControl(
            data,
            "management.admins=" + AdminCalls.ADMIN.pubkey().hex(),
            "relay.url=" + TestRelay.URL,
            "limits.filters=19",
            "metrics.token=a-secret-of-16-chars");
  }

  @AfterAll
  void end() {
    relay.close();
  }

  private HttpResponse<String> post(String method, Object... params) throws Exception {
    String body = JSON.writeValueAsString(Map.of("method", method, "params", List.of(params)));
    URI url = URI.create("http://127.0.0.1:" + relay.port());
    long now = System.currentTimeMillis() / 1000;
    String login = AdminCalls.header(AdminCalls.login(now, TestRelay.URL, body));
    return AdminCalls.post(url, AdminCalls.MEDIA_TYPE, body, login);
  }

  private JsonNode call(String method, Object... params) throws Exception {
    JsonNode answer = Client.parse(post(method, params).body());
    assertThat(answer.path("error").asText()).as(method).isEmpty();
    return answer.get("result");
  }

  private String error(String method, Object... params) throws Exception {
    return Client.parse(post(method, params).body()).path("error").asText();
  }

  private JsonNode setting(String key) throws Exception {
    for (JsonNode each : call("listsettings")) {
      if (each.get("key").asText().equals(key)) {
        return each;
      }
    }
    throw new AssertionError(key);
  }

  private JsonNode lastAudit() throws Exception {
    return call("audit", 1).get(0);
  }

  @Test
  void figuresHaveAValueForEachNameNowAndInEachRow() throws Exception {
    try (Client client = new Client(relay.uri())) {
      client.publishAccepted(ALICE.sign(System.currentTimeMillis() / 1000, 1, Tags.NONE, "hello"));
      JsonNode figures = call("figures");
      assertThat(figures.get("step").asInt()).isEqualTo(60);
      List<String> names = new ArrayList<>();
      figures.get("names").forEach(it -> names.add(it.asText()));
      assertThat(names)
          .contains("players", "games", "connections", "subscriptions", "events_stored")
          .contains("events_refused_blocked", "disk_free_bytes", "store_bytes", "memory_bytes")
          .contains("heap_bytes", "p99_ok_ms", "outbox_bytes");
      assertThat(figures.get("rows").get(0)).hasSize(names.size() + 1);
      assertThat(figures.get("current")).hasSize(names.size());
      assertThat(figures.get("current").get("connections").asInt()).isPositive();
      assertThat(figures.get("current").get("disk_free_bytes").asLong()).isPositive();
      assertThat(figures.get("current").get("memory_bytes").asLong()).isGreaterThan(10 << 20);
      long last = figures.get("rows").get(figures.get("rows").size() - 1).get(0).asLong();
      assertThat(call("figures", figures.get("now").asLong() + 3600).get("rows")).isEmpty();
      assertThat(call("figures", last - 1).get("rows")).isNotEmpty();
    }
  }

  @Test
  void aClientIsListedWithWhatItDoesAndDisconnected() throws Exception {
    try (Client client = new Client(relay.uri())) {
      client.login(System.currentTimeMillis() / 1000, ALICE);
      client.send("[\"REQ\",\"a\",{\"kinds\":[30000]}]").until("EOSE");
      client.send("[\"REQ\",\"b\",{\"kinds\":[\"x\"]}]").until("CLOSED");
      JsonNode listed = null;
      for (JsonNode each : call("listconnections")) {
        if (each.get("keys").toString().contains(ALICE.pubkey().hex())) {
          listed = each;
        }
      }
      assertThat(listed).isNotNull();
      assertThat(listed.get("address").asText()).isEqualTo("127.0.0.1");
      assertThat(listed.get("subscriptions").asInt()).isEqualTo(1);
      assertThat(listed.get("messages").asInt()).isGreaterThanOrEqualTo(3);
      assertThat(listed.get("refused").asInt()).isEqualTo(1);
      assertThat(call("disconnect", listed.get("id").asText()).asBoolean()).isTrue();
      assertThat(client.awaitClose()).isEqualTo(1008);
      assertThat(lastAudit().get("action").asText()).isEqualTo("disconnect");
      assertThat(lastAudit().get("target").asText()).isEqualTo("address 127.0.0.1");
      String id = listed.get("id").asText();
      await().until(() -> error("disconnect", id).startsWith("there is no such connection"));
    }
  }

  @Test
  void everySettingIsListedWithItsSourceButNoSecretWithItsValue() throws Exception {
    JsonNode filters = setting("limits.filters");
    assertThat(filters.get("value").asText()).isEqualTo("19");
    assertThat(filters.get("default").asText()).isEqualTo("20");
    assertThat(filters.get("source").asText()).isEqualTo("--set limits.filters");
    assertThat(filters.get("changeable").asBoolean()).isFalse();
    JsonNode token = setting("metrics.token");
    assertThat(token.has("value")).isFalse();
    assertThat(token.get("secret").asBoolean()).isTrue();
    JsonNode free = setting("store.min_free");
    assertThat(free.get("changeable").asBoolean()).isTrue();
    assertThat(free.get("source").asText()).isEqualTo("default");
    assertThat(free.get("about").asText()).startsWith("With less free space on the disk");
    assertThat(setting("relay.port").get("reloads").asBoolean()).isFalse();
    assertThat(post("listsettings").body()).doesNotContain("a-secret-of");
  }

  @Test
  void aChangedSettingIsInForceInTheFileAndInTheCommandsUntilItIsTakenBack() throws Exception {
    JsonNode checked = call("checksettings", Map.of("admission.refused_kinds", "4243"));
    assertThat(checked.toString())
        .isEqualTo(
            "{\"changes\":[{\"key\":\"admission.refused_kinds\",\"before\":\"(empty)\","
                + "\"after\":\"4243\"}],\"needs_restart\":[],\"fault\":null}");
    try (Client client = new Client(relay.uri())) {
      long now = System.currentTimeMillis() / 1000;
      client.publishAccepted(ALICE.sign(now, 4243, Tags.NONE, "before"));
      assertThat(call("changesettings", Map.of("admission.refused_kinds", "4243")))
          .isEqualTo(checked);
      assertThat(client.answerTo(ALICE.sign(now, 4243, Tags.NONE, "after"))).startsWith("blocked:");
      assertThat(lastAudit().get("action").asText()).isEqualTo("changesettings");
      assertThat(lastAudit().get("target").asText()).isEqualTo("admission.refused_kinds");
      Path file = data.resolve("admin.conf");
      assertThat(Files.readString(file)).contains("admission.refused_kinds = [\"4243\"]\n");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(setting("admission.refused_kinds").get("source").asText())
          .startsWith(file + ", line ");
      assertThat(CommandResult.of("config", "show", "--effective", "--data", "" + data).output())
          .contains("# " + file + ", line 2\nadmission.refused_kinds = [\"4243\"]");
      Map<String, Object> takenBack = new LinkedHashMap<>();
      takenBack.put("admission.refused_kinds", null);
      assertThat(call("changesettings", takenBack).get("fault").isNull()).isTrue();
      client.publishAccepted(ALICE.sign(now, 4243, Tags.NONE, "taken back"));
      assertThat(setting("admission.refused_kinds").get("source").asText()).isEqualTo("default");
    }
  }

  @Test
  void aFaultIsASentenceAndChangesNothing() throws Exception {
    String before = call("listsettings").toString();
    for (Map<String, String> change :
        List.of(
            Map.of("limits.subscriptions", "many"),
            Map.of("limits.subscriptions", "7", "relay.nam", "x"),
            Map.of("admission.kinds", "[\"1\", include \"/etc/passwd\"]"),
            Map.of("admission.pubkeys", "file:/etc/passwd"),
            Map.of("log.levels", "nonsense"),
            Map.of("admission.require_auth", "perhaps"))) {
      JsonNode outcome = call("changesettings", change);
      assertThat(outcome.get("fault").asText()).endsWith(".").doesNotContain("root:");
      assertThat(outcome.get("changes")).isEmpty();
      assertThat(call("checksettings", change)).isEqualTo(outcome);
    }
    assertThat(call("listsettings").toString()).isEqualTo(before);
    assertThat(error("changesettings", Map.of("relay.name", 7))).endsWith("is not a text or null");
    assertThat(error("changesettings", "relay.name")).contains("is not an object");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plugin.command",
        "backup.directory",
        "sync.peers",
        "transport.proxies",
        "management.admins",
        "web.enabled",
        "web.engine",
        "chess.house.engine",
        "rates.by_address.http",
        "limits.connections",
        "limits.filters",
        "metrics.token",
        "relay.port",
        "tls.key",
        "cluster.servers"
      })
  void whatMakesAnAdminTheOperatorOrLocksAdminsOutIsNotChangeable(String key) throws Exception {
    assertThat(setting(key).get("changeable").asBoolean()).isFalse();
    for (String value : List.of("/bin/sh", "", "1")) {
      assertThat(call("changesettings", Map.of(key, value)).get("fault").asText())
          .startsWith(key + " cannot be changed here: ");
    }
  }

  @Test
  void aBackupIsMadeAndCanBeRestored() throws Exception {
    assertThat(call("startbackup").asBoolean()).isTrue();
    await().until(() -> !call("listbackups").get("running").asBoolean());
    JsonNode backups = call("listbackups");
    assertThat(backups.get("directory").asText()).isEqualTo("" + data.resolve("backups"));
    assertThat(backups.get("last").get("error").isNull()).isTrue();
    assertThat(backups.get("last").get("bytes").asLong()).isPositive();
    assertThat(backups.get("last").get("seconds").isNumber()).isTrue();
    assertThat(CommandResult.of("restore", "" + data.resolve("backups"), "--check").output())
        .contains("is intact");
  }

  @Test
  void warningsOfTheLogAreListed() throws Exception {
    String key = "nsec1" + "q".repeat(58);
    LoggerFactory.getLogger("gambit.test.Warning").warn("a line\nwith a key {}", key);
    JsonNode newest = call("listwarnings", 1).get(0);
    assertThat(newest.get("level").asText()).isEqualTo("WARN");
    assertThat(newest.get("logger").asText()).isEqualTo("Warning");
    assertThat(newest.get("message").asText()).startsWith("a line\\nwith a key nsec1… (not");
    assertThat(error("listwarnings", 501)).isNotEmpty();
  }

  @Test
  void statusHasTheStateOfProgramAndDisk() throws Exception {
    JsonNode status = call("status");
    assertThat(status.get("java").asText()).isEqualTo(Runtime.version().toString());
    assertThat(status.get("disk_bytes").asLong())
        .isGreaterThan(status.get("disk_free_bytes").asLong());
    assertThat(status.get("certificate").isNull()).isTrue();
    assertThat(status.get("peers").asInt()).isZero();
    assertThat(status.get("started").asLong())
        .isLessThanOrEqualTo(System.currentTimeMillis() / 1000);
  }

  @Test
  void littleRoomIsASentence() {
    assertThat(AdminMethods.needsRoom(1L << 30, 64 << 20)).isEmpty();
    assertThat(AdminMethods.needsRoom(200 << 20, 64 << 20).orElseThrow())
        .startsWith("Only 200.0 MB are free");
    assertThat(AdminMethods.needsRoom(1 << 20, 64 << 20).orElseThrow())
        .startsWith("The store is full");
  }
}
