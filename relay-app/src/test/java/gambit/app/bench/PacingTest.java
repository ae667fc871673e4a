package gambit.app.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When operations begin, on a clock that is moved by hand. */
class PacingTest {
  private static final long MILLI = 1_000_000;

  /** What one client measures of a relay that answers at once, but stops for a time. */
  private static List<Long> latencies(Pacing pacing, long stallFrom, long stallTo) {
    List<Long> latencies = new ArrayList<>();
    for (long now = 0; !pacing.isOver(now); now += MILLI) {
      boolean isStalled = now >= stallFrom && now < stallTo;
      while (!isStalled && pacing.isDue(now)) {
        latencies.add((now - pacing.begin(now)) / MILLI);
        if (!pacing.isOpen()) {
          break; // a round trip takes a millisecond
        }
      }
    }
    return latencies;
  }

  @Test
  void anOpenLoopCountsAStallInEveryOperationThatItDelayed() {
    List<Long> latencies = latencies(Pacing.open(0, 1000 * MILLI, 100), 200 * MILLI, 500 * MILLI);
    assertThat(latencies).hasSize(100);
    assertThat(latencies.subList(0, 20)).containsOnly(0L);
    assertThat(latencies.get(20)).isEqualTo(300);
    assertThat(latencies.get(21)).isEqualTo(290);
    assertThat(latencies.get(49)).isEqualTo(10);
    assertThat(latencies.subList(50, 100)).containsOnly(0L);
  }

  @Test
  void anOpenLoopBeginsEveryOperationOfItsScheduleThoughTheTimeIsOver() {
    Pacing pacing = Pacing.open(0, 1000 * MILLI, 10);
    List<Long> latencies = latencies(pacing, 0, 5000 * MILLI);
    assertThat(latencies).hasSize(10).startsWith(5000L, 4900L).endsWith(4100L);
    assertThat(pacing.isOver(0)).isTrue();
  }

  @Test
  void aLoopEndsAfterItsNumberOfOperations() {
    assertThat(latencies(Pacing.closed(0, 1000 * MILLI).upTo(7), 0, 0)).hasSize(7);
    assertThat(latencies(Pacing.open(0, 1000 * MILLI, 10).upTo(7), 0, 5000 * MILLI)).hasSize(7);
  }

  @Test
  void aClosedLoopBeginsNothingDuringAStallAndEndsWithItsTime() {
    List<Long> latencies = latencies(Pacing.closed(0, 1000 * MILLI), 200 * MILLI, 500 * MILLI);
    assertThat(latencies).hasSize(700).containsOnly(0L);
  }

  @Test
  void aClosedLoopBeginsOneOperationThoughItsTimeIsOver() {
    assertThat(latencies(Pacing.closed(0, 10 * MILLI), 0, 50 * MILLI)).hasSize(1);
  }
}
