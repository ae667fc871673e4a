package gambit.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.app.common.CommandFailure;
import gambit.app.common.PrivateFile;
import gambit.app.server.config.ConfigSources;
import gambit.app.server.config.Configuration;
import gambit.app.server.nats.NatsServers;
import gambit.app.server.reload.Reload;
import gambit.app.server.settings.Settings;
import gambit.core.replication.ClusterMembership;
import gambit.core.testkit.TestCertificate;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each setting of a cluster reaches its place in the program, with real NATS servers. */
class ClusterWiringTest {
  /** The settings of the section {@code cluster}, each set by a test of this class. */
  static final Set<String> SETTINGS =
      Set.of(
          "cluster.servers",
          "cluster.name",
          "cluster.replicas",
          "cluster.keep",
          "cluster.max_staleness",
          "cluster.takeover_after",
          "cluster.tls_ca",
          "cluster.tls_certificate",
          "cluster.tls_key",
          "cluster.user",
          "cluster.password",
          "cluster.password_file",
          "cluster.nkey_file");

  private static final String NKEY_SEED =
      "SUAIZ3RKKBRXS5PXXMPQ2YMFIHPRPPBYXT24CC7ERUBFPDAP6VDZWK27PI";
  private static final String NKEY_USER =
      "UBTFT564D7XUUXGB3ZJD3IIG677HV2IGMA75BHBM7FADA6KUBBSDFVDI";

  @TempDir Path files;
  private final Map<String, String> settings = new HashMap<>();

  private void set(String key, String value) {
    assertThat(SETTINGS).contains("cluster." + key);
    settings.put("cluster." + key, value);
  }

  private Gambit start(NatsServers servers) throws Exception {
    set("servers", servers.urls().get(0));
    Map<String, String> all = new HashMap<>(settings);
    all.putAll(Map.of("relay.port", "0", "metrics.port", "0", "chess.house.enabled", "false"));
    return new Gambit(
        TestSettings.options(files.resolve("data"), false, TestSettings.of(all)), death -> {});
  }

  private static StreamConfiguration stream(NatsServers servers, String name) throws Exception {
    var connection = Nats.connect(Options.builder().server(servers.urls().get(0)).build());
    try {
      return connection.jetStreamManagement().getStreamInfo(name).getConfiguration();
    } finally {
      connection.close();
    }
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(files.resolve(name), text);
  }

  private Path secret(String name, String text) throws IOException {
    PrivateFile.create(files.resolve(name), text);
    return files.resolve(name);
  }

  @Test
  void nameReplicasAndAgeAreThoseOfTheLogAndTimesThoseOfTheNode() throws Exception {
    set("name", "other");
    set("replicas", "1");
    set("keep", "3h");
    set("max_staleness", "17s");
    set("takeover_after", "900ms");
    try (NatsServers servers = NatsServers.start(1);
        Gambit program = start(servers)) {
      StreamConfiguration log = stream(servers, "other");
      assertThat(log.getSubjects()).isEqualTo(List.of("other.log"));
      assertThat(log.getReplicas()).isEqualTo(1);
      assertThat(log.getMaxAge()).isEqualTo(Duration.ofHours(3));
      ClusterMembership parts = program.parts().storage().cluster();
      assertThat(parts.maxStaleness()).isEqualTo(Duration.ofSeconds(17));
      assertThat(parts.takeoverAfter()).isEqualTo(Duration.ofMillis(900));
    }
  }

  @Test
  void moreReplicasThanServersAreRefused() {
    set("replicas", "3");
    try (NatsServers servers = NatsServers.start(1)) {
      assertThatThrownBy(() -> start(servers))
          .isInstanceOf(CommandFailure.class)
          .hasMessageContaining("replicas > 1 not supported");
    }
  }

  @Test
  void messagesThatNoEntryHasRoomForAreRefused() {
    settings.put("limits.message_bytes", "1M");
    try (NatsServers servers = NatsServers.start(1)) {
      assertThatThrownBy(() -> start(servers))
          .isInstanceOf(CommandFailure.class)
          .hasMessageMatching("limits.message_bytes: at most \\d+ in this cluster, .*");
    }
  }

  @Test
  void aReloadRefusesThemAsWell() throws Exception {
    Map<String, String> all =
        Map.of("relay.port", "0", "metrics.port", "0", "chess.house.enabled", "false");
    Path data = Files.createDirectories(files.resolve("data"));
    try (NatsServers servers = NatsServers.start(1)) {
      ConfigSources sources = ConfigSources.defaults().withFileOf(data).withOverrides(all);
      Path file = data.resolve("gambit.conf");
      String cluster = "cluster.servers = [\"" + servers.urls().get(0) + "\"]\n";
      Files.writeString(file, cluster);
      Configuration configuration = sources.load();
      Reload reload = new Reload(sources, configuration);
      Settings read = Settings.read(configuration);
      Gambit program = new Gambit(new Gambit.Options(data, false, read, reload), death -> {});
      try (program) {
        Files.writeString(file, cluster + "limits.message_bytes = 1M\n");
        assertThat(reload.reload().text())
            .startsWith("limits.message_bytes: at most 262016 in this cluster, ");
        assertThat(reload.inForce()).isEmpty();
        Files.writeString(file, cluster + "limits.message_bytes = 200000\n");
        assertThat(reload.reload().text()).contains("limits.message_bytes");
        assertThat(reload.inForce()).isPresent();
      }
    }
  }

  @Test
  void certificatesAndAUserWithAPasswordFileAdmitTheNode() throws Exception {
    TestCertificate certificate = TestCertificate.ofLocalhost();
    Path pem = file("ca.pem", certificate.certificatePem());
    Path key = file("key.pem", certificate.keyPem());
    String options =
        """
        tls { cert_file: "%s", key_file: "%s", ca_file: "%s", verify: true }
        authorization { user: node, password: "a word" }
        """
            .formatted(pem, key, pem);
    try (NatsServers servers = NatsServers.startWith("tls", options)) {
      set("tls_ca", "" + pem);
      set("tls_certificate", "" + pem);
      set("tls_key", "" + key);
      set("user", "node");
      set("password_file", "" + secret("wrong", "another word"));
      assertThatThrownBy(() -> start(servers)).hasMessageContaining("does not accept");
      set("password_file", "" + secret("right", "a word"));
      try (Gambit program = start(servers)) {
        assertThat(program.parts().storage().cluster()).isNotNull();
      }
    }
  }

  @Test
  void aUserWithAPasswordIsAdmitted() throws Exception {
    try (NatsServers servers =
        NatsServers.startWith("nats", "authorization { user: node, password: word }")) {
      set("user", "node");
      set("password", "other");
      assertThatThrownBy(() -> start(servers)).hasMessageContaining("does not accept");
      set("password", "word");
      try (Gambit program = start(servers)) {
        assertThat(program.parts().storage().cluster()).isNotNull();
      }
    }
  }

  @Test
  void anNkeyIsAdmitted() throws Exception {
    try (NatsServers servers =
        NatsServers.startWith("nats", "authorization { users: [{nkey: " + NKEY_USER + "}] }")) {
      set("nkey_file", "" + secret("nkey", NKEY_SEED));
      try (Gambit program = start(servers)) {
        assertThat(program.parts().storage().cluster()).isNotNull();
      }
    }
  }
}
