package gambit.app.bench;

import gambit.app.tool.client.RelayFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** Measures lines one after another, and prints each. One thread. */
final class BenchRun {
  private static final double MAX_SECONDS_AT_ONCE = 10;

  private final Bench bench;
  private final String label;
  private final Consumer<String> out;
  private final List<BenchResult> results = new ArrayList<>();
  private long wrong;
  private int failures;

  BenchRun(Bench bench, String label, Consumer<String> out) {
    this.bench = bench;
    this.label = label;
    this.out = out;
  }

  /** Everything measured so far, also if a line has failed. */
  List<BenchResult> results() {
    return results;
  }

  /** What was wrong with lines and answers, warming up included; empty for nothing. */
  String problem() {
    List<String> problems = new ArrayList<>();
    if (wrong > 0) {
      problems.add(String.format("The relay gave %,d wrong answers.", wrong));
    }
    if (failures > 0) {
      problems.add(String.format("Lines that could not be measured: %d.", failures));
    }
    return String.join(" ", problems);
  }

  /** Measures each line some times, after warming up. */
  void runs(List<Line> lines) {
    runs(lines, "", line -> Amount.ofSeconds(bench.options().seconds()));
  }

  /** Measures an amount of each line some times, after warming up; a suffix names the results. */
  void runs(List<Line> lines, String suffix, Function<Line, Amount> amounts) {
    BenchOptions options = bench.options();
    each(
        lines,
        line -> {
          if (options.warmUpSeconds() > 0) {
            check(line, line.run(Amount.ofSeconds(options.warmUpSeconds())));
          }
          List<Map<Measure, Double>> runs = new ArrayList<>();
          for (int run = 1; run <= options.runs(); run++) {
            runs.add(measured(line, line.name() + suffix, run, line.run(amounts.apply(line))));
          }
          out.accept(ResultTable.row(line.name() + suffix, line.parameter(), runs));
        });
  }

  /**
   * Measures each line in successive windows without warming up.
   *
   * @param ends of the windows, in ascending seconds of traffic
   */
  void windows(List<Line> lines, List<Integer> ends) {
    each(
        lines,
        line -> {
          int begin = 0;
          for (int end : ends) {
            Totals window = new Totals();
            while (window.nanos() < (end - begin) * 1e9) {
              double left = end - begin - window.nanos() / 1e9;
              window.add(line.run(Amount.ofSeconds(Math.min(left, MAX_SECONDS_AT_ONCE))));
            }
            String name = line.name() + "@" + begin + "-" + end + "s";
            out.accept(
                ResultTable.row(name, line.parameter(), List.of(measured(line, name, 1, window))));
            begin = end;
          }
        });
  }

  /** Measures an open line. */
  private interface Measurement {
    void run(Line line) throws RelayFailure;
  }

  /** Opens and measures one line after another. One that fails does not end the others. */
  private void each(List<Line> lines, Measurement measurement) {
    out.accept(ResultTable.heading());
    for (Line line : lines) {
      if (isSkipped(line)) {
        continue;
      }
      try (line) {
        line.open();
        measurement.run(line);
      } catch (RelayFailure e) {
        failures++;
        out.accept(line.name() + ": not measured, " + e.getMessage());
      }
    }
  }

  private boolean isSkipped(Line line) {
    String reason = line.reasonToSkip();
    if (!reason.isEmpty()) {
      out.accept(line.name() + ": skipped, " + reason);
    }
    return !reason.isEmpty();
  }

  private Map<Measure, Double> measured(Line line, String name, int run, Totals totals) {
    check(line, totals);
    Map<Measure, Double> values = totals.values();
    values.forEach(
        (measure, value) ->
            results.add(
                new BenchResult(
                    label, bench.data().size(), name, line.parameter(), run, measure, value)));
    return values;
  }

  private void check(Line line, Totals totals) {
    if (totals.wrongCount() > 0) {
      wrong += totals.wrongCount();
      out.accept(
          String.format(
              "%s: %,d wrong answers, such as %s",
              line.name(), totals.wrongCount(), totals.firstWrong()));
    }
  }
}
