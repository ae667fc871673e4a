package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.app.server.config.ConfigSources;
import gambit.app.server.config.SettingsProblem;
import gambit.app.server.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The section {@code cluster}. */
class ClusterSettingsTest {

  /** The section with settings, each {@code key=value}. */
  private static ClusterSettings read(String... set) throws SettingsProblem {
    Map<String, String> all = new LinkedHashMap<>();
    for (String each : set) {
      all.put(
          "cluster." + each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
    }
    return Settings.read(ConfigSources.defaults().withOverrides(all).load()).cluster();
  }

  @Test
  void byDefaultARelayIsNoCluster() throws Exception {
    ClusterSettings settings = read();
    assertThat(settings.isOn()).isFalse();
    assertThat(settings)
        .isEqualTo(
            TestCluster.settings(
                List.of(), "gambit", Duration.ofHours(12), TestCluster.NO_CREDENTIALS));
  }

  @Test
  void everySettingIsRead() throws Exception {
    ClusterSettings settings =
        read(
            "servers=nats://10.0.0.1:4222,tls://nats.example.com",
            "name=chess-1",
            "replicas=5",
            "keep=2d",
            "max_staleness=20s",
            "takeover_after=4s",
            "tls_ca=/etc/ca.pem",
            "tls_certificate=/etc/node.pem",
            "tls_key=/etc/node.key",
            "user=node",
            "password_file=/etc/password");
    assertThat(settings.isOn()).isTrue();
    assertThat(settings)
        .isEqualTo(
            new ClusterSettings(
                List.of("nats://10.0.0.1:4222", "tls://nats.example.com"),
                "chess-1",
                5,
                Duration.ofDays(2),
                Duration.ofSeconds(20),
                Duration.ofSeconds(4),
                new NatsAccess(
                    Optional.of(Path.of("/etc/ca.pem")),
                    Optional.of(Path.of("/etc/node.pem")),
                    Optional.of(Path.of("/etc/node.key")),
                    "node",
                    "",
                    Optional.of(Path.of("/etc/password")),
                    Optional.empty())));
    assertThat(read("nkey_file=/etc/nkey").access().nkeyFile()).contains(Path.of("/etc/nkey"));
    assertThat(read("user=node", "password=secret").access().password()).isEqualTo("secret");
  }

  @Test
  void secretsAreNotPrinted() throws Exception {
    assertThat(read("user=node", "password=hidden-word").toString())
        .contains("node")
        .doesNotContain("hidden-word");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.1:4222",
        "http://10.0.0.1:4222",
        "nats://user:word@10.0.0.1",
        "nats://10.0.0.1/path",
        "nats://",
        "ws://10.0.0.1:4222",
        "nats://a b"
      })
  void otherServersAreRefused(String url) {
    assertThatThrownBy(() -> read("servers=" + url))
        .isInstanceOf(SettingsProblem.class)
        .hasMessageContaining("expected the URL of a NATS server");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "name=",
        "name=two words",
        "name=a.b",
        "replicas=2",
        "replicas=-1",
        "keep=9m",
        "keep=31d",
        "max_staleness=2999ms",
        "max_staleness=6m",
        "takeover_after=499ms",
        "takeover_after=61s",
        "tls_key=/etc/node.key",
        "tls_certificate=/etc/node.pem",
        "user=node",
        "password=secret",
        "password_file=/etc/password"
      })
  void invalidValuesNameTheirSetting(String set) {
    assertThatThrownBy(() -> read(set))
        .isInstanceOf(SettingsProblem.class)
        .hasMessageContaining("cluster." + set.substring(0, set.indexOf('=')));
  }

  @Test
  void credentialsOfTwoKindsAreRefused() {
    assertThatThrownBy(() -> read("user=node", "password=secret", "nkey_file=/etc/nkey"))
        .hasMessageContaining("only one of user and nkey_file");
    assertThatThrownBy(() -> read("user=node", "password=secret", "password_file=/etc/password"))
        .hasMessageContaining("only one of password and password_file");
  }
}
