package gambit.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueType;
import gambit.app.server.config.ConfigSources;
import gambit.app.server.config.Configuration;
import gambit.app.server.config.Configuration.Change;
import gambit.app.server.reload.Reload;
import gambit.app.server.reload.ReloadResult;
import gambit.app.server.settings.Settings;
import gambit.core.model.Tags;
import gambit.core.session.SlowQueries;
import gambit.core.testkit.ClassLog;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestCertificate;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every setting either changes in the running program on reload, or is named as needing a restart
 * and keeps its value. The values, and where they arrive, are those of {@link SettingsWiringTest}.
 */
class ReloadedSettingsTest {
  /** Settings whose place is none of the relay's parts; the tests here assert their effect. */
  private static final Set<String> TESTED_BY_EFFECT =
      Set.of(
          "transport.proxies",
          "store.min_free",
          "log.level",
          "log.levels",
          "log.format",
          "log.slow_query");

  @TempDir Path data;

  private ConfigSources sources() {
    return ConfigSources.defaults()
        .withFileOf(data)
        .withOverrides(
            Map.of("relay.port", "0", "metrics.port", "0", "chess.house.enabled", "false"));
  }

  private record Running(Gambit program, Gambit.Options options) implements AutoCloseable {
    private Reload reload() {
      return Objects.requireNonNull(options.reload());
    }

    @Override
    public void close() {
      program.close();
    }
  }

  private Running start() throws Exception {
    ConfigSources sources = sources();
    Configuration configuration = sources.load();
    Reload reload = new Reload(sources, configuration);
    Settings settings = Settings.read(configuration);
    return start(new Gambit.Options(data, false, settings, reload));
  }

  private static Running start(Gambit.Options options) throws Exception {
    Gambit program =
        new Gambit(
            options,
            death -> {
              throw new AssertionError(death);
            });
    return new Running(program, options);
  }

  /** Writes settings that are given as for {@code --set} into the configuration file. */
  private void write(Map<String, String> settings) throws Exception {
    var defaults = ConfigFactory.parseResources("reference.conf").resolve();
    StringBuilder file = new StringBuilder();
    settings.forEach(
        (key, value) -> {
          ConfigValueType type = defaults.getValue(key).valueType();
          String items =
              Stream.of(value.split(",", -1))
                  .map(item -> '"' + item.strip() + '"')
                  .collect(Collectors.joining(", "));
          if (type == ConfigValueType.OBJECT) {
            Stream.of(value.split(",", -1))
                .map(entry -> entry.split("="))
                .forEach(it -> file.append(key + ".\"" + it[0] + "\" = \"" + it[1] + "\"\n"));
          } else {
            file.append(key + " = " + (type == ConfigValueType.LIST ? "[" + items + "]" : items));
            file.append('\n');
          }
        });
    Files.writeString(data.resolve("gambit.conf"), file);
  }

  @Test
  void everySettingChangesInTheRunningProgramOrIsNamedAsNeedingARestart() throws Exception {
    Set<String> seen = new TreeSet<>(sources().load().names().keys());
    seen.removeIf(Reload::needsRestart);
    try (Running running = start()) {
      for (List<SettingsWiringTest.Setting> rows :
          List.of(SettingsWiringTest.first(), SettingsWiringTest.second())) {
        Map<String, String> values = new TreeMap<>();
        rows.forEach(row -> values.put(row.key(), row.value()));
        values.remove("chess.house.enabled"); // a flag of this start
        write(values);
        ReloadResult.Applied result = (ReloadResult.Applied) running.reload().reload();
        Set<String> changed = keys(result.changed());
        Set<String> needRestart = keys(result.needRestart());
        assertThat(changed).noneMatch(Reload::needsRestart);
        assertThat(needRestart).allMatch(Reload::needsRestart);
        for (SettingsWiringTest.Setting row : rows) {
          Object now = row.place().apply(running.program().parts());
          if (changed.contains(row.key())) {
            assertThat(now).as(row.key()).isEqualTo(row.expected());
            seen.remove(row.key());
          } else if (values.containsKey(row.key())) {
            assertThat(needRestart).contains(row.key());
            assertThat(now).as(row.key()).isNotEqualTo(row.expected());
          }
        }
      }
    }
    seen.removeAll(TESTED_BY_EFFECT);
    assertThat(seen).as("neither changed by a reload nor in Reload.RESTART_KEYS").isEmpty();
  }

  @Test
  void levelsOfTheLogAndTheThresholdOfSlowQueriesChange() throws Exception {
    Logger logger = LoggerFactory.getLogger("gambit.reloaded");
    try (Running running = start();
        ClassLog slow = new ClassLog(SlowQueries.class)) {
      try (Client client = new Client(url(running))) {
        assertThat(client.queryIds("{\"kinds\":[1]}")).isEmpty();
        assertThat(slow.messages()).isEmpty();
        write(Map.of("log.levels", "gambit.reloaded=trace", "log.slow_query", "1ns"));
        assertThat(running.reload().reload()).isInstanceOf(ReloadResult.Applied.class);
        assertThat(logger.isTraceEnabled()).isTrue();
        assertThat(client.queryIds("{\"kinds\":[1]}")).isEmpty();
        await().until(() -> slow.messages().stream().anyMatch(it -> it.startsWith("Slow query: ")));
        write(Map.of());
        assertThat(running.reload().reload()).isInstanceOf(ReloadResult.Applied.class);
        assertThat(logger.isTraceEnabled()).isFalse();
      }
    }
  }

  private static URI url(Running running) {
    return URI.create("ws://127.0.0.1:" + running.program().parts().port().address().getPort());
  }

  private static Set<String> keys(List<Change> changes) {
    return changes.stream().map(Change::key).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void reloadedSettingsAreInForceForConnectedClientsAndInTheInformationDocument() throws Exception {
    try (Running running = start()) {
      URI url = url(running);
      long now = System.currentTimeMillis() / 1000;
      try (Client client = new Client(url)) {
        client.publishAccepted(Keys.of("alice").sign(now, 1, Tags.NONE, "before"));
        write(
            Map.of(
                "relay.name", "Other",
                "admission.refused_pubkeys", Keys.of("alice").pubkey().hex(),
                "limits.filters", "1",
                "transport.proxies", "192.0.2.1"));
        assertThat(running.reload().reload()).isInstanceOf(ReloadResult.Applied.class);
        assertThat(client.answerTo(Keys.of("alice").sign(now, 1, Tags.NONE, "after")))
            .startsWith("blocked:");
        assertThat(client.send("[\"REQ\",\"a\",{},{}]").next()).contains("more than 1 filters");
        String information = Client.httpRequest("GET", url, "application/nostr+json").body();
        assertThat(Client.parse(information).path("name").asText()).isEqualTo("Other");
        assertThat(Client.parse(information).at("/limitation/max_filters").asInt()).isEqualTo(1);
        assertThat(
                running
                    .program()
                    .parts()
                    .settings()
                    .transport()
                    .proxies()
                    .include(InetAddress.getByName("192.0.2.1")))
            .isTrue();
        write(Map.of("store.min_free", "1000000G"));
        assertThat(running.reload().reload()).isInstanceOf(ReloadResult.Applied.class);
        assertThat(client.answerTo(Keys.of("alice").sign(now, 1, Tags.NONE, "full")))
            .isEqualTo("error: store is full");
      }
    }
  }

  @Test
  void programThatStartsAnewInItsProcessHasTheSettingsOfTheLastReload() throws Exception {
    Gambit.Options options;
    try (Running running = start()) {
      options = running.options();
      write(Map.of("relay.name", "Other", "cluster.name", "other"));
      assertThat(running.reload().reload()).isInstanceOf(ReloadResult.Applied.class);
    }
    try (Running anew = start(options.again())) {
      assertThat(anew.program().parts().settings().about()).containsEntry("name", "Other");
      assertThat(anew.options().settings().cluster().name())
          .as("a setting that needs a restart of the process")
          .isEqualTo("gambit");
      write(Map.of());
      assertThat(keys(((ReloadResult.Applied) anew.reload().reload()).changed()))
          .containsExactly("relay.name");
    }
  }

  @Test
  void newCertificateIsUsedAtOnceAndAnUnusableOneRefusesTheWholeReload() throws Exception {
    TestCertificate first = TestCertificate.ofLocalhost();
    TestCertificate second = TestCertificate.ofLocalhost();
    Path certificate = data.resolve("certificate.pem");
    Path key = data.resolve("key.pem");
    Files.writeString(certificate, first.certificatePem());
    Files.writeString(key, first.keyPem());
    Map<String, String> settings =
        new TreeMap<>(Map.of("tls.certificate", "" + certificate, "tls.key", "" + key));
    write(settings);
    try (Running running = start()) {
      assertThat(presentedTo(first, running)).isEqualTo(first.certificate());

      Files.writeString(certificate, second.certificatePem());
      settings.put("relay.name", "Other");
      write(settings);
      ReloadResult refused = running.reload().reload(); // the key is still that of the first
      assertThat(refused.text()).startsWith("tls.certificate, tls.key: ");
      assertThat(running.program().parts().settings().about()).containsEntry("name", "Gambit");
      assertThat(presentedTo(first, running)).isEqualTo(first.certificate());

      Files.writeString(key, second.keyPem());
      assertThat(keys(((ReloadResult.Applied) running.reload().reload()).changed()))
          .containsExactly("relay.name", "the certificate in tls.certificate");
      assertThat(presentedTo(second, running)).isEqualTo(second.certificate());
      assertThat(running.reload().reload().text()).isEqualTo("Settings reloaded: none changed.\n");
    }
  }

  @Test
  void authorIsBannedByAReloadAlthoughTheCertificateHasExpired() throws Exception {
    TestCertificate expired = TestCertificate.valid(Duration.ofDays(10), Duration.ofDays(5));
    Path certificate = Files.writeString(data.resolve("c.pem"), expired.certificatePem());
    Path key = Files.writeString(data.resolve("k.pem"), expired.keyPem());
    Map<String, String> settings =
        new TreeMap<>(Map.of("tls.certificate", "" + certificate, "tls.key", "" + key));
    write(settings);
    try (Running running = start()) {
      settings.put("admission.refused_pubkeys", Keys.of("mallory").pubkey().hex());
      write(settings);
      assertThat(keys(((ReloadResult.Applied) running.reload().reload()).changed()))
          .containsExactly("admission.refused_pubkeys");
    }
  }

  private static Certificate presentedTo(TestCertificate trusted, Running running)
      throws Exception {
    int port = running.program().parts().port().address().getPort();
    try (SSLSocket socket = trusted.connect(port)) {
      return socket.getSession().getPeerCertificates()[0];
    }
  }
}
