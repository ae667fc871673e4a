package gambit.app.bench;

import gambit.app.GambitProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A relay in a separate process, with its use of CPU and memory. Closing it ends the process and
 * deletes its data, and so does the exit of this program.
 */
final class RelayProcess implements AutoCloseable {
  private static final long TICK_NANOS = 10_000_000;
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
  private static final Pattern HEAP_USED = Pattern.compile("total \\d+K, used (\\d+)K");

  private final GambitProcess program;
  private final Path data;
  private final Thread end = new Thread(this::kill, "end of the relay");

  private RelayProcess(GambitProcess program, Path data) {
    this.program = program;
    this.data = data;
    Runtime.getRuntime().addShutdownHook(end);
  }

  /**
   * Starts a relay, and returns when it listens.
   *
   * @param directory the parent of its data directory
   */
  static RelayProcess start(List<String> javaOptions, Path directory, String... arguments)
      throws IOException {
    Path data = Files.createTempDirectory(directory, "relay-load-");
    return new RelayProcess(GambitProcess.relayWith(javaOptions, data, arguments), data);
  }

  URI url() {
    return program.url();
  }

  /**
   * CPU in nanoseconds, in steps of 10 ms.
   *
   * @param all of all threads
   * @param kernel the part of it spent in the kernel
   */
  record Cpu(long all, long kernel) {}

  /** The CPU used so far. */
  Cpu cpu() throws IOException {
    return cpu(program.pid() + "", 11);
  }

  /** The CPU of all processes that this one has started and that have ended. */
  static Cpu cpuOfEndedChildren() throws IOException {
    return cpu("self", 13);
  }

  /** Reads two fields of the kernel's file about a process. */
  private static Cpu cpu(String process, int userField) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + process + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    long kernel = Long.parseLong(fields[userField + 1]) * TICK_NANOS;
    return new Cpu(Long.parseLong(fields[userField]) * TICK_NANOS + kernel, kernel);
  }

  /** Its data directory. */
  Path data() {
    return data;
  }

  /** Resident memory, in bytes. */
  long resident() throws IOException {
    return kilobytes(RESIDENT, Files.readString(Path.of("/proc/" + program.pid() + "/status")));
  }

  /** The live heap after a garbage collection, in bytes. */
  long liveHeap() throws IOException {
    jcmd("GC.run");
    return kilobytes(HEAP_USED, jcmd("GC.heap_info"));
  }

  /** The current value of a metric. */
  long gauge(String name) throws IOException {
    try (InputStream in = program.metricsUrl().toURL().openStream()) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      Matcher matcher = Pattern.compile("(?m)^gambit_" + name + " (\\S+)$").matcher(text);
      if (!matcher.find()) {
        throw new IllegalStateException("there is no metric " + name);
      }
      return (long) Double.parseDouble(matcher.group(1));
    }
  }

  private static long kilobytes(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    long sum = 0;
    while (matcher.find()) {
      sum += Long.parseLong(matcher.group(1));
    }
    return sum << 10;
  }

  private String jcmd(String command) throws IOException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process asked =
        new ProcessBuilder(jcmd.toString(), String.valueOf(program.pid()), command).start();
    return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    int status = program.terminate().exitStatus();
    Runtime.getRuntime().removeShutdownHook(end);
    kill();
    if (status != 0) {
      throw new IllegalStateException("the relay ended with " + status + ": " + program.errors());
    }
  }

  private void kill() {
    program.close();
    delete(data);
  }

  static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      System.err.println("Could not delete " + directory + ": " + e);
    }
  }
}
