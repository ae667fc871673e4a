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
 * What all measurements are made with.
 *
 * @param runs of which the median is told
 * @param events how many are stored where many are to be
 * @param javaOptions of the relay; none: each measurement's own
 * @param directory where relays have their data
 */
record BenchmarkContext(int runs, int events, List<String> javaOptions, Path directory) {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  /** A relay with Java's own defaults, if nothing else was asked for. */
  RelayProcess relay(String... arguments) throws IOException {
    return relay(List.of(), arguments);
  }

  /** A relay with these options for Java, if no others were asked for. */
  RelayProcess relay(List<String> options, String... arguments) throws IOException {
    return RelayProcess.start(javaOptions.isEmpty() ? options : javaOptions, directory, arguments);
  }

  /** A new note of this moment; {@code bytes} is what its content takes. */
  static Event note(Signer author, int bytes) {
    String begin = "note " + NUMBER.incrementAndGet() + " ";
    long now = System.currentTimeMillis() / 1000;
    return author.sign(now, 1, Tags.NONE, begin + "x".repeat(Math.max(0, bytes - begin.length())));
  }

  static byte[] frame(Event event) {
    return ("[\"EVENT\"," + event + "]").getBytes(StandardCharsets.UTF_8);
  }

  /** Prints a table in Markdown: its head, then its rows. */
  static void table(List<String> lines) {
    int columns = (int) lines.get(0).chars().filter(c -> c == '|').count() - 1;
    System.out.println(lines.get(0));
    System.out.println("|---" + "|--:".repeat(columns - 1) + "|");
    lines.stream().skip(1).forEach(System.out::println);
    System.out.println();
  }
}
