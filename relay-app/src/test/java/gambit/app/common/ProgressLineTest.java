package gambit.app.common;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.common.ProgressLine.Unit;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
  private final StringWriter out = new StringWriter();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE); // a time may be any number

  private ProgressLine line(boolean isTerminal, Unit unit) {
    return new ProgressLine(new PrintWriter(out), isTerminal, unit, nanos::get);
  }

  private String update(ProgressLine line, double seconds, long done, long total) {
    nanos.addAndGet((long) (seconds * 1e9));
    out.getBuffer().setLength(0);
    line.update(done, total);
    return out.toString().strip();
  }

  @Test
  void theLineHasTheShareTheRateAndTheTimeLeft() {
    ProgressLine line = line(true, Unit.BYTES);
    assertThat(update(line, 2, 500 << 20, 2_000L << 20))
        .isEqualTo("25 % of 2,000 MB, 250 MB/s, 6 s left");
    assertThat(update(line, 8, 1_000 << 20, 400_000L << 20))
        .isEqualTo("0 % of 400,000 MB, 100 MB/s, 67 min left");
    ProgressLine events = line(true, Unit.EVENTS);
    assertThat(update(events, 1, 0, 1_000)).isEqualTo("0 % of 1,000 events, 0 events/s, ? left");
    assertThat(update(events, 1, 5_000, 0)).isEqualTo("5,000 events, 2,500 events/s");
  }

  @Test
  void theLineIsDrawnAFewTimesASecondAndCleared() {
    ProgressLine line = line(true, Unit.EVENTS);
    assertThat(update(line, 0.1, 1, 10)).isEmpty();
    assertThat(update(line, 0.2, 2, 10)).isNotEmpty();
    assertThat(update(line, 0.1, 3, 10)).isEmpty();
    line.close();
    assertThat(out.toString()).isEqualTo("\r" + " ".repeat(78) + "\r");
  }

  @Test
  void nothingIsPrintedWhereThereIsNoTerminal() {
    ProgressLine line = line(false, Unit.EVENTS);
    assertThat(update(line, 2, 1, 2)).isEmpty();
    line.close();
    assertThat(out.toString()).isEmpty();
  }
}
