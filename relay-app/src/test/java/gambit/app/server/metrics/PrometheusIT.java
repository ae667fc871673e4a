package gambit.app.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.GambitProcess;
import gambit.app.house.EnginePlayer;
import gambit.app.server.plugin.PluginScript;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestCertificate;
import gambit.core.testkit.ThoroughOnly;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus scrapes a relay that clients and players use: every query of the dashboard and
 * of the alerts finds data.
 */
@ThoroughOnly
class PrometheusIT {
  private static final String TOKEN = "a-token-of-this-test";

  /** The comparison of an alert's expression with a threshold, which is rarely true. */
  private static final Pattern COMPARISON = Pattern.compile(" (==|>|<) [0-9.e]+( \\* .+)?$");

  /** Series that exist only once what they count has happened, or at a node of a cluster. */
  private static final List<String> OCCASIONAL =
      List.of(
          "gambit_http_answers_total{status=\"503\"}", "jvm_gc_pause_seconds", "gambit_cluster_");

  @TempDir Path directory;

  @BeforeAll
  static void requirePrometheus() {
    Assumptions.assumeTrue(
        Prometheus.isInstalled(), "Debian's package prometheus is not installed");
  }

  @Test
  void promtoolAcceptsTheRulesTheirTestsAndTheExample() throws Exception {
    Path files = OperatorFiles.DIRECTORY;
    assertThat(Prometheus.promtool(files, List.of("check", "rules", "alerts.yml")))
        .contains(OperatorFiles.alerts().size() + " rules found");
    Prometheus.promtool(files, List.of("test", "rules", "alerts-test.yml"));
    Prometheus.promtool(files, List.of("check", "config", "prometheus.yml"));
  }

  @Test
  void everyQueryOfTheDashboardAndOfTheAlertsFindsData() throws Exception {
    try (GambitProcess relay =
            GambitProcess.relay(
                directory.resolve("data"),
                "--set",
                "metrics.token=" + TOKEN,
                "--set",
                "chess.house.enabled=true",
                "--set",
                "plugin.command=" + new PluginScript(directory, PluginScript.BY_CONTENT));
        GambitProcess relayWithTls = relayWithTls();
        Prometheus prometheus =
            new Prometheus(configuration(relay.metricsUrl(), relayWithTls.metricsUrl()));
        EnginePlayer player = new EnginePlayer(relay.url(), 1000)) {
      player.inviteHouse(1).awaitMoves(2);
      AtomicBoolean isLoaded = new AtomicBoolean(true);
      Thread load = new Thread(() -> load(relay.url(), player, isLoaded), "load");
      load.start();
      try {
        assertTargets(prometheus);
        assertData(prometheus, expressions());
        assertRulesAreEvaluated(prometheus);
      } finally {
        isLoaded.set(false);
        load.join();
      }
    }
  }

  /** A second relay, without clients. */
  private GambitProcess relayWithTls() throws Exception {
    TestCertificate certificate = TestCertificate.ofLocalhost();
    Path chain = Files.writeString(directory.resolve("chain.pem"), certificate.certificatePem());
    Path key = Files.writeString(directory.resolve("key.pem"), certificate.keyPem());
    return GambitProcess.relay(
        directory.resolve("data-with-tls"),
        "--set",
        "metrics.token=" + TOKEN,
        "--set",
        "tls.certificate=" + chain,
        "--set",
        "tls.key=" + key);
  }

  /** The example's rules and job for both relays, and a job without the token. */
  private Path configuration(URI metrics, URI metricsOfTls) throws Exception {
    Files.copy(OperatorFiles.DIRECTORY.resolve("alerts.yml"), directory.resolve("alerts.yml"));
    return Files.writeString(
        directory.resolve("prometheus.yml"),
        """
        global: {scrape_interval: 1s, evaluation_interval: 1s}
        rule_files: [alerts.yml]
        scrape_configs:
          - job_name: gambit
            authorization: {type: Bearer, credentials: %s}
            static_configs: [{targets: ['%s', '%s']}]
          - job_name: without-token
            static_configs: [{targets: ['%s']}]
        """
            .formatted(
                TOKEN,
                metrics.getAuthority(),
                metricsOfTls.getAuthority(),
                metrics.getAuthority()));
  }

  /** Clients that publish, query, send what is invalid, and come and go; and game after game. */
  private static void load(URI relay, EnginePlayer player, AtomicBoolean isLoaded) {
    for (int i = 0; isLoaded.get(); i++) {
      if (!player.game().isRunning()) {
        inviteAgain(player);
      }
      Client.httpRequest("GET", relay, "application/nostr+json");
      try (Client client = new Client(relay)) {
        long now = Instant.now().getEpochSecond();
        client.publishAccepted(Keys.of("alice").sign(now, 1, Tags.NONE, "note " + i));
        client.publishAccepted(Keys.of("alice").sign(now, 20_001, Tags.NONE, "ephemeral " + i));
        client.publish(Keys.of("alice").sign(now - 1_000_000 + i, 0, Tags.NONE, "{}"));
        client.queryIds("{\"kinds\":[1]}");
        client.send("[\"REQ\",\"bad\",{\"kinds\":1}]");
      }
    }
  }

  private static void inviteAgain(EnginePlayer player) {
    try {
      player.inviteHouse(1);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Prometheus negotiates OpenMetrics, whose type info the other format does not have. */
  private static void assertTargets(Prometheus prometheus) {
    await()
        .untilAsserted(
            () -> {
              for (JsonNode target : prometheus.get("/api/v1/targets").path("activeTargets")) {
                boolean hasToken = target.at("/labels/job").asText().equals("gambit");
                assertThat(target.path("health").asText()).isEqualTo(hasToken ? "up" : "down");
                assertThat(target.path("lastError").asText()).contains(hasToken ? "" : "401");
              }
              assertThat(
                      prometheus
                          .get("/api/v1/targets/metadata?metric=gambit_build")
                          .findValuesAsText("type"))
                  .contains("info");
            });
  }

  /** All queries of the dashboard, and what the alerts compare with thresholds. */
  private static List<String> expressions() throws Exception {
    List<String> expressions = new ArrayList<>();
    for (Map.Entry<String, String> query : OperatorFiles.queries().entrySet()) {
      expressions.add(
          query.getValue().replace("$__rate_interval", "15s").replace("$instance", ".*"));
    }
    for (OperatorFiles.Alert alert : OperatorFiles.alerts()) {
      for (String part : alert.expression().split(" (or|and) ")) {
        expressions.add(COMPARISON.matcher(part).replaceFirst(""));
      }
    }
    return expressions;
  }

  private static void assertData(Prometheus prometheus, List<String> expressions) {
    Set<String> missing = new TreeSet<>(expressions);
    missing.removeIf(PrometheusIT::isOccasional);
    assertThat(missing).hasSizeGreaterThan(50);
    await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(
            () -> {
              for (String expression : List.copyOf(missing)) {
                if (prometheus.hasData(expression)) {
                  missing.remove(expression);
                }
              }
              assertThat(missing).isEmpty();
            });
    for (String expression : expressions) {
      if (isOccasional(expression)) {
        assertQueryable(prometheus, expression);
      }
    }
  }

  private static boolean isOccasional(String expression) {
    return OCCASIONAL.stream().anyMatch(expression::contains);
  }

  private static void assertQueryable(Prometheus prometheus, String expression) {
    try {
      prometheus.query(expression);
    } catch (Exception e) {
      throw new AssertionError(expression, e);
    }
  }

  private static void assertRulesAreEvaluated(Prometheus prometheus) {
    await()
        .untilAsserted(
            () -> {
              JsonNode rules = prometheus.get("/api/v1/rules").at("/groups/0/rules");
              assertThat(rules).hasSize(OperatorFiles.alerts().size());
              for (JsonNode rule : rules) {
                assertThat(rule.path("health").asText()).as("%s", rule).isEqualTo("ok");
              }
            });
  }
}
