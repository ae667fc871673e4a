package gambit.core.store.disk;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A {@link StoreWriterMain} in a process of its own, which is to be killed. */
final class StoreWriterProcess implements AutoCloseable {
  private final Path errors;
  private final Process process;
  private final BufferedReader out;

  /**
   * Starts it; it waits to begin.
   *
   * @param own a directory for whatever else it writes
   */
  StoreWriterProcess(Path directory, Path own) throws IOException {
    this.errors = own.resolve("errors");
    this.process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + own,
                "-cp",
                System.getProperty("java.class.path"),
                StoreWriterMain.class.getName(),
                directory.toString())
            .redirectError(errors.toFile())
            .start();
    this.out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Lets it begin on the machine's start of that number. */
  void begin(int boots) throws IOException {
    process.getOutputStream().write((boots + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /**
   * Kills it when it has printed so many lines and a little more time has passed.
   *
   * @return the last group that it has told of, or 0
   */
  long kill(int lines, int spins) throws IOException, InterruptedException {
    long last = 0;
    for (int i = 0; i < lines; i++) {
      last = Math.max(last, groupIn(out.readLine()));
    }
    for (int i = 0; i < spins; i++) {
      Thread.onSpinWait();
    }
    process.toHandle().destroyForcibly(); // what it has printed can still be read
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      last = Math.max(last, groupIn(line));
    }
    process.waitFor();
    return last;
  }

  private long groupIn(@Nullable String line) throws IOException {
    if (line == null) {
      throw new AssertionError("it has ended by itself: " + errors());
    }
    return line.matches("\\d+") ? Long.parseLong(line) : 0;
  }

  /** What it has complained about. */
  String errors() throws IOException {
    return Files.readString(errors, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
