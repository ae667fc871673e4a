package gambit.app.common;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The progress of a long command, on one line of the terminal's standard error that is drawn over
 * itself. Prints nothing where there is no terminal, such as in a script's log. One thread.
 */
public final class ProgressLine implements AutoCloseable {
  private static final long NANOS_PER_DRAWING = Duration.ofMillis(200).toNanos();
  private static final String CLEARED = "\r" + " ".repeat(78) + "\r";

  private final PrintWriter out;
  private final boolean isTerminal;
  private final Unit unit;
  private final LongSupplier nanoTime;
  private final long start;
  private long nextDrawing;
  private boolean isDrawn;

  public enum Unit {
    BYTES("MB", 1 << 20),
    EVENTS("events", 1);

    private final String name;
    private final int size;

    Unit(String name, int size) {
      this.name = name;
      this.size = size;
    }
  }

  public ProgressLine(CommandSpec command, Unit unit) {
    this(
        command.commandLine().getErr(),
        ConsoleCommand.terminal() != null, // Java cannot ask about standard error
        unit,
        System::nanoTime);
  }

  ProgressLine(PrintWriter out, boolean isTerminal, Unit unit, LongSupplier nanoTime) {
    this.out = out;
    this.isTerminal = isTerminal;
    this.unit = unit;
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
    this.nextDrawing = start + NANOS_PER_DRAWING;
  }

  /** Draws the line if it is time; the total is 0 if it is not known. */
  public void update(long done, long total) {
    long now = nanoTime.getAsLong();
    if (isTerminal && now - nextDrawing >= 0) {
      nextDrawing = now + NANOS_PER_DRAWING;
      isDrawn = true;
      out.print(CLEARED + line(done, total, (now - start) / 1e9));
      out.flush();
    }
  }

  private String line(long done, long total, double seconds) {
    double rate = done / seconds;
    String speed = String.format(Locale.ROOT, "%,.0f %s/s", rate / unit.size, unit.name);
    if (total <= 0) {
      return String.format(Locale.ROOT, "%,d %s, %s", done / unit.size, unit.name, speed);
    }
    return String.format(
        Locale.ROOT,
        "%3d %% of %,d %s, %s, %s left",
        100 * done / total,
        total / unit.size,
        unit.name,
        speed,
        rate == 0 ? "?" : timeLeft((total - done) / rate));
  }

  private static String timeLeft(double seconds) {
    long whole = (long) Math.ceil(seconds);
    return whole < 100
        ? whole + " s"
        : whole < 6_000 ? (whole + 59) / 60 + " min" : (whole + 3_599) / 3_600 + " h";
  }

  @Override
  public void close() {
    if (isDrawn) {
      out.print(CLEARED);
      out.flush();
    }
  }
}
