package gambit.core.store.disk;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Runs {@link StoreWriterMain} in another process and kills it. */
public final class StoreWriterProcess implements AutoCloseable {
  private final Path errors;
  private final Process process;
  private final BufferedReader out;

  /**
   * Starts the process.
   *
   * @param own a directory for its other files
   */
  public StoreWriterProcess(StoreDirectory directory, Path own) throws IOException {
    this.errors = own.resolve("errors");
    this.process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Djava.io.tmpdir=" + own,
                "-cp",
                System.getProperty("java.class.path"),
                StoreWriterMain.class.getName(),
                directory.path().toString(),
                "" + directory.bootCount())
            .redirectError(errors.toFile())
            .start();
    this.out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Kills the process after that number of printed lines and then that number of spins.
   *
   * @return the number of the last group printed, or 0
   */
  public long kill(int lines, int spins) throws IOException, InterruptedException {
    long last = 0;
    for (int i = 0; i < lines; i++) {
      last = Math.max(last, groupIn(out.readLine()));
    }
    for (int i = 0; i < spins; i++) {
      Thread.onSpinWait();
    }
    process.toHandle().destroyForcibly(); // its output can still be read
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      last = Math.max(last, groupIn(line));
    }
    process.waitFor();
    return last;
  }

  private long groupIn(@Nullable String line) throws IOException {
    if (line == null) {
      throw new AssertionError("the process ended by itself: " + errors());
    }
    return line.matches("\\d+") ? Long.parseLong(line) : 0;
  }

  /** The error output of the process. */
  public String errors() throws IOException {
    return Files.readString(errors, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
