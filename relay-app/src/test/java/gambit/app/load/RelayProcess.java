package gambit.app.load;

import gambit.app.Program;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A relay in a process of its own, and what it takes of CPU and memory. Closing it ends the process
 * and deletes its data; so does the end of this program, however it comes.
 */
final class RelayProcess implements AutoCloseable {
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
  private static final Pattern HEAP_USED = Pattern.compile("total \\d+K, used (\\d+)K");

  private final Program program;
  private final ProcessHandle process;
  private final Path data;
  private final Thread end = new Thread(this::kill, "end of the relay");

  private RelayProcess(Program program, Path data) {
    this.program = program;
    this.process = ProcessHandle.of(program.pid()).orElseThrow();
    this.data = data;
    Runtime.getRuntime().addShutdownHook(end);
  }

  /**
   * Starts a relay, and returns when it is up.
   *
   * @param data a directory for it, which is not there yet
   */
  static RelayProcess start(List<String> javaOptions, Path data, String... arguments)
      throws IOException {
    Files.createDirectories(data);
    return new RelayProcess(Program.relayWith(javaOptions, data, arguments), data);
  }

  InetSocketAddress address() {
    return new InetSocketAddress("127.0.0.1", program.url().getPort());
  }

  /** CPU of all its threads so far, in nanoseconds; the system tells it in steps of 10 ms. */
  long cpu() {
    return process.info().totalCpuDuration().orElseThrow().toNanos();
  }

  /** What it has in memory, in bytes. */
  long resident() throws IOException {
    return kilobytes(RESIDENT, Files.readString(Path.of("/proc/" + program.pid() + "/status")));
  }

  /** What is alive on its heap, in bytes: it collects its garbage first. */
  long liveHeap() throws IOException {
    jcmd("GC.run");
    return kilobytes(HEAP_USED, jcmd("GC.heap_info"));
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
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      System.err.println("Could not delete " + data + ": " + e);
    }
  }
}
