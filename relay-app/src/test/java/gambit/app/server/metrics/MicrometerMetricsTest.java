package gambit.app.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.metrics.Metrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The relay's metrics as Prometheus reads them. */
class MicrometerMetricsTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final MicrometerMetrics metrics = new MicrometerMetrics(registry);

  @Test
  void aTimerCountsEachDurationInEveryBucketAboveIt() {
    Metrics.Timer timer = metrics.timer("commit_seconds", "Time of a commit");
    timer.record(Duration.ofNanos(25_000).toNanos());
    timer.record(Duration.ofNanos(25_001).toNanos());
    timer.record(Duration.ofMillis(3).toNanos());
    timer.record(Duration.ofSeconds(11).toNanos());
    assertThat(registry.scrape().lines())
        .contains(
            "# HELP gambit_commit_seconds Time of a commit",
            "# TYPE gambit_commit_seconds histogram",
            "gambit_commit_seconds_bucket{le=\"2.5E-5\"} 1",
            "gambit_commit_seconds_bucket{le=\"5.0E-5\"} 2",
            "gambit_commit_seconds_bucket{le=\"0.0025\"} 2",
            "gambit_commit_seconds_bucket{le=\"0.005\"} 3",
            "gambit_commit_seconds_bucket{le=\"10.0\"} 3",
            "gambit_commit_seconds_bucket{le=\"+Inf\"} 4",
            "gambit_commit_seconds_count 4",
            "gambit_commit_seconds_sum 11.003050001");
  }

  @Test
  void aNegativeDurationCountsAsZero() {
    metrics.timer("commit_seconds", "Time of a commit").record(-5);
    assertThat(registry.scrape().lines())
        .contains("gambit_commit_seconds_bucket{le=\"2.5E-5\"} 1", "gambit_commit_seconds_sum 0.0");
  }

  @Test
  void timersOfOneNameDifferByTheirLabels() {
    metrics.timer("query_seconds", "Time of a query", "lane", "query").record(1);
    metrics.timer("query_seconds", "Time of a query", "lane", "query").record(1);
    metrics.timer("query_seconds", "Time of a query", "lane", "scan").record(1);
    assertThat(registry.scrape().lines())
        .contains(
            "gambit_query_seconds_count{lane=\"query\"} 2",
            "gambit_query_seconds_count{lane=\"scan\"} 1")
        .containsOnlyOnce("# TYPE gambit_query_seconds histogram");
  }

  @Test
  void aCounterGrowsByAnyAmount() {
    Metrics.Counter counter = metrics.counter("sent_bytes", "Bytes sent", "to", "clients");
    counter.add(40);
    counter.increment();
    assertThat(registry.scrape().lines()).contains("gambit_sent_bytes_total{to=\"clients\"} 41.0");
  }

  @Test
  void aGaugeIsReadWhenMetricsAreCollectedAndMayHaveLabels() {
    double[] value = {1};
    metrics.gauge("disk_free_bytes", "Free bytes", () -> value[0], "of", "store");
    value[0] = 7;
    assertThat(registry.scrape().lines()).contains("gambit_disk_free_bytes{of=\"store\"} 7.0");
  }
}
