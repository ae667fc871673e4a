package gambit.app.load;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The options of all measurements.
 *
 * @param runs the number of runs, of which the median is reported
 * @param events the number of events in a large store
 * @param javaOptions of the relay; empty: the default of each measurement
 * @param directory the parent of the relays' data directories
 */
record BenchmarkContext(int runs, int events, List<String> javaOptions, Path directory) {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  /** Starts a relay with Java's defaults, unless the command line has Java options. */
  RelayProcess relay(String... arguments) throws IOException {
    return relay(List.of(), arguments);
  }

  /** Starts a relay with these Java options, unless the command line has others. */
  RelayProcess relay(List<String> options, String... arguments) throws IOException {
    return RelayProcess.start(javaOptions.isEmpty() ? options : javaOptions, directory, arguments);
  }

  /** A new note with the current time and this many bytes of content. */
  static Event note(Signer author, int bytes) {
    String begin = "note " + NUMBER.incrementAndGet() + " ";
    long now = System.currentTimeMillis() / 1000;
    return author.sign(now, 1, Tags.NONE, begin + "x".repeat(Math.max(0, bytes - begin.length())));
  }

  static byte[] frame(Event event) {
    return ("[\"EVENT\"," + event + "]").getBytes(StandardCharsets.UTF_8);
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
