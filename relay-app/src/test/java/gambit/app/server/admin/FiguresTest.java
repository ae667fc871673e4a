package gambit.app.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.server.metrics.OperationsServer;
import gambit.core.metrics.Metrics;
import gambit.core.testkit.TestTime;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rows of a day, with a clock that the test moves. */
class FiguresTest {
  private final TestTime time = new TestTime();
  private OperationsServer operations;
  private Figures figures;

  @BeforeEach
  void begin() throws IOException {
    operations =
        new OperationsServer(
            new InetSocketAddress("127.0.0.1", 0), null, Duration.ofSeconds(10), death -> {});
    figures = new Figures(operations.metrics(), time);
  }

  @AfterEach
  void end() {
    operations.close();
  }

  private Metrics.Counter events(String verdict) {
    return operations.metrics().counter("events", "help", "verdict", verdict);
  }

  private static JsonNode value(JsonNode figures, int row, String name) {
    List<String> names = new ArrayList<>();
    figures.get("names").forEach(it -> names.add(it.asText()));
    return figures.get("rows").get(row).get(names.indexOf(name) + 1);
  }

  @Test
  void aRowAMinuteForADayWithCountersAsDifferences() {
    Metrics.Counter accepted = events("accepted");
    Metrics.Counter blocked = events("blocked");
    figures.start(time);
    long start = time.instant().getEpochSecond();
    for (int minute = 1; minute <= 1_500; minute++) {
      accepted.add(minute);
      blocked.add(2);
      time.advance(Duration.ofMinutes(1));
    }
    JsonNode all = figures.since(0);
    assertThat(all.get("rows")).hasSize(Figures.MAX_ROWS);
    int last = Figures.MAX_ROWS - 1;
    assertThat(all.get("rows").get(last).get(0).asLong()).isEqualTo(start + 1_500 * 60);
    assertThat(value(all, last, "events_stored").asInt()).isEqualTo(1_500);
    assertThat(value(all, 0, "events_stored").asInt()).isEqualTo(61);
    assertThat(value(all, last, "events_refused_blocked").asInt()).isEqualTo(2);
    assertThat(value(all, last, "games").isNull()).isTrue(); // there is no chess here
    accepted.add(7);
    JsonNode since = figures.since(start + 1_499 * 60);
    assertThat(since.get("rows")).hasSize(1);
    assertThat(since.get("current").get("events_stored").asInt()).isEqualTo(7);
  }

  @Test
  void theTimeToOkIsThatOfTheStagesInTheMinute() {
    for (String stage : List.of("writer_wait_seconds", "commit_seconds", "fan_out_seconds")) {
      Metrics.Timer timer = operations.metrics().timer(stage, "help");
      for (int i = 0; i < 100; i++) {
        timer.record(i < 50 ? 3_000_000 : 4_000_000); // all between 2.5 and 5 ms
      }
    }
    figures.sample();
    assertThat(value(figures.since(0), 0, "p99_ok_ms").asDouble()).isBetween(14.9, 15.0);
    time.advance(Duration.ofMinutes(1));
    figures.sample();
    assertThat(value(figures.since(0), 1, "p99_ok_ms").isNull()).isTrue();
  }
}
