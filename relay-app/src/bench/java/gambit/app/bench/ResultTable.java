package gambit.app.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Results as text: the medians of the runs, and two files side by side. */
final class ResultTable {
  private static final int NAME_WIDTH = 30;
  private static final int WIDTH = 11;

  private ResultTable() {}

  /** The heading of {@link #row}. */
  static String heading() {
    return pad("line")
        + Arrays.stream(Measure.values())
            .map(measure -> right(measure.label()))
            .collect(Collectors.joining());
  }

  /** The medians of the runs of one line. */
  static String row(String line, String parameter, List<Map<Measure, Double>> runs) {
    Map<Measure, Double> medians = medians(runs);
    return pad(name(line, parameter))
        + Arrays.stream(Measure.values())
            .map(measure -> right(text(medians.get(measure))))
            .collect(Collectors.joining());
  }

  private static String name(String line, String parameter) {
    return parameter.isEmpty() ? line : line + " " + parameter;
  }

  static Map<Measure, Double> medians(List<Map<Measure, Double>> runs) {
    Map<Measure, Double> medians = new EnumMap<>(Measure.class);
    for (Measure measure : Measure.values()) {
      double[] values =
          runs.stream()
              .filter(run -> run.containsKey(measure))
              .mapToDouble(run -> run.get(measure))
              .toArray();
      if (values.length > 0) {
        medians.put(measure, median(values));
      }
    }
    return medians;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /**
   * The medians of two files with their ratio, for each line and measure that both have. All
   * results with the same line and parameter count as runs of one measurement.
   */
  static List<String> compare(List<BenchResult> first, List<BenchResult> second) {
    Map<String, double[]> before = byMeasure(first);
    Map<String, double[]> after = byMeasure(second);
    List<String> lines = new ArrayList<>();
    lines.add(
        pad("line")
            + right("measure")
            + right(labels(first, "A"))
            + right(labels(second, "B"))
            + right("B / A"));
    before.forEach(
        (key, values) -> {
          double[] others = after.get(key);
          if (others != null) {
            String[] names = key.split("\n", -1);
            double a = median(values);
            double b = median(others);
            lines.add(
                pad(name(names[0], names[1]))
                    + right(names[2])
                    + right(text(a))
                    + right(text(b))
                    + right(a == 0 ? "-" : String.format(Locale.ROOT, "%.2f", b / a)));
          }
        });
    return lines;
  }

  private static Map<String, double[]> byMeasure(List<BenchResult> results) {
    Map<String, double[]> values = new LinkedHashMap<>();
    for (BenchResult result : results) {
      String key = result.line() + "\n" + result.parameter() + "\n" + result.measure().label();
      double[] one = {result.value()};
      values.merge(
          key,
          one,
          (all, more) -> {
            double[] longer = Arrays.copyOf(all, all.length + 1);
            longer[all.length] = more[0];
            return longer;
          });
    }
    return values;
  }

  /** The label of all results, or another name if there are several. */
  private static String labels(List<BenchResult> results, String otherwise) {
    List<String> labels = results.stream().map(BenchResult::label).distinct().toList();
    return labels.size() == 1 && !labels.get(0).isEmpty() ? labels.get(0) : otherwise;
  }

  private static String text(@Nullable Double value) {
    if (value == null) {
      return "";
    }
    double size = Math.abs(value);
    String format = size == 0 || size >= 1_000 ? "%,.0f" : size >= 100 ? "%.0f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }

  private static String pad(String text) {
    return String.format("%-" + NAME_WIDTH + "s", text);
  }

  private static String right(String text) {
    return String.format(" %" + (WIDTH - 1) + "s", text);
  }
}
