package gambit.app.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The options of all measurements.
 *
 * @param runs the number of runs, of which the median is reported
 * @param events the number of events in a large store
 * @param javaOptions of the relay; empty: the default of each measurement
 * @param directory the parent of the relays' data directories
 */
record BenchmarkContext(int runs, int events, List<String> javaOptions, Path directory) {
  /** Starts a relay with Java's defaults, unless the command line has Java options. */
  RelayProcess relay(String... arguments) throws IOException {
    return relay(List.of(), arguments);
  }

  /** Starts a relay with these Java options, unless the command line has others. */
  RelayProcess relay(List<String> options, String... arguments) throws IOException {
    return RelayProcess.start(javaOptions.isEmpty() ? options : javaOptions, directory, arguments);
  }

  static <T> double median(List<T> runs, ToDoubleFunction<T> of) {
    double[] sorted = runs.stream().mapToDouble(of).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** Prints a table in Markdown, whose first line is the header. */
  static void table(List<String> lines) {
    int columns = (int) lines.get(0).chars().filter(c -> c == '|').count() - 1;
    System.out.println(lines.get(0));
    System.out.println("|---" + "|--:".repeat(columns - 1) + "|");
    lines.stream().skip(1).forEach(System.out::println);
    System.out.println();
  }
}
