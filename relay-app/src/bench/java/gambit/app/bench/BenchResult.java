package gambit.app.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One measured value: a line of a CSV file.
 *
 * @param label of the relay, chosen by the operator
 * @param events of the data set, that were stored before
 * @param line what was measured
 * @param parameter its number of subscriptions, games or connections, or empty
 * @param run from 1
 */
record BenchResult(
    String label,
    long events,
    String line,
    String parameter,
    int run,
    Measure measure,
    double value) {
  private static final String HEADER = "label,events,line,parameter,run,measure,value";

  /** Whether a text can be a field without quotation marks. */
  static boolean isField(String text) {
    return text.matches("[^,\"\r\n]*");
  }

  /** Appends to a file, which gets a header if it is new. */
  static void append(Path file, List<BenchResult> results) throws IOException {
    boolean isNew = !Files.exists(file) || Files.size(file) == 0;
    try (Writer out =
        Files.newBufferedWriter(
            file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      if (isNew) {
        out.write(HEADER + "\n");
      }
      for (BenchResult result : results) {
        out.write(result.csv() + "\n");
      }
    }
  }

  private String csv() {
    return String.join(
        ",",
        label,
        Long.toString(events),
        line,
        parameter,
        Integer.toString(run),
        measure.label(),
        String.format(Locale.ROOT, "%.4f", value));
  }

  /** Reads a file of {@link #append}. */
  static List<BenchResult> read(Path file) throws IOException {
    List<BenchResult> results = new ArrayList<>();
    try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      if (!HEADER.equals(in.readLine())) {
        throw new IOException("its first line is not " + HEADER);
      }
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] fields = line.split(",", -1);
        if (fields.length != 7) {
          throw new IOException("a line without 7 fields: " + line);
        }
        try {
          results.add(
              new BenchResult(
                  fields[0],
                  Long.parseLong(fields[1]),
                  fields[2],
                  fields[3],
                  Integer.parseInt(fields[4]),
                  Measure.of(fields[5]),
                  Double.parseDouble(fields[6])));
        } catch (IllegalArgumentException e) {
          throw new IOException("a line that cannot be read: " + line);
        }
      }
    }
    return results;
  }
}
