package gambit.app.server.plugin;

import gambit.app.common.ErrorMessages;
import gambit.app.common.LineSplitter;
import gambit.app.common.ProcessGroup;
import gambit.core.log.LimitedLog;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A running plugin. Three threads serve its streams: {@code plugin-input} writes requests, {@code
 * plugin-output} reads answers, {@code plugin-errors} copies what the plugin writes for people into
 * the log, as far as {@link LimitedLog} allows. Any thread may end it.
 */
final class PluginProcess {
  /** The longest line of the protocol; strfry's limit, too. */
  static final int MAX_LINE_BYTES = 8192;

  /** The most output without an answer to a request. */
  static final int MAX_IDLE_OUTPUT_BYTES = 1 << 20;

  private static final LimitedLog LOG = LimitedLog.of(PluginProcess.class);
  private static final int MAX_LOGGED_CHARS = 300;

  /** The time between the end of a process and that of its streams, or the reverse. */
  private static final long ENDING_MILLIS = 200;

  private final Process process;
  private final String mark; // in the environment of the plugin, and of what it starts
  private final Thread output = thread("plugin-output", this::read);
  private final Thread errors = thread("plugin-errors", this::copyErrors);
  private final @Nullable Path file;
  private final @Nullable FileTime fileTime;
  private final long startedAt = System.nanoTime();
  private final PluginRunner runner;
  private int idleOutputBytes; // plugin-output only

  private PluginProcess(Process process, String mark, @Nullable Path file, PluginRunner runner) {
    this.process = process;
    this.mark = mark;
    this.file = file;
    this.fileTime = time(file);
    this.runner = runner;
  }

  static PluginProcess start(PluginSettings settings, PluginRunner runner) throws PluginFailure {
    Path file = settings.isPath() ? Path.of(settings.command()).toAbsolutePath() : null;
    List<String> command =
        file == null ? List.of("/bin/sh", "-c", settings.command()) : List.of(file.toString());
    if (file != null && !Files.isExecutable(file)) {
      throw new PluginFailure("cannot be started: " + file + " is not an executable file");
    }
    try {
      ProcessBuilder builder = new ProcessBuilder(ProcessGroup.leading(command));
      // They may contain secrets of the relay, such as a token.
      builder.environment().keySet().removeIf(name -> name.startsWith("GAMBIT_"));
      String mark = UUID.randomUUID().toString();
      builder.environment().put("PLUGIN_PROCESS", mark);
      return new PluginProcess(builder.start(), mark, file, runner);
    } catch (IOException e) {
      throw new PluginFailure("cannot be started: " + ErrorMessages.of(e));
    }
  }

  void serve() {
    thread("plugin-input", this::write).start();
    output.start();
    errors.start();
    process.onExit().thenRun(this::reportExit);
  }

  private static Thread thread(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  private static @Nullable FileTime time(@Nullable Path file) {
    try {
      return file == null ? null : Files.getLastModifiedTime(file);
    } catch (IOException e) {
      return null;
    }
  }

  /** Whether the plugin's file is another one than at the start. A missing file is no other one. */
  boolean isOutdated() {
    FileTime now = time(file);
    return now != null && !Objects.equals(now, fileTime);
  }

  long pid() {
    return process.pid();
  }

  Duration age() {
    return Duration.ofNanos(System.nanoTime() - startedAt);
  }

  private void write() {
    try (OutputStream input = process.getOutputStream()) {
      for (List<byte[]> lines = runner.nextRequests(this);
          !lines.isEmpty();
          lines = runner.nextRequests(this)) {
        for (byte[] line : lines) {
          input.write(line);
        }
        input.flush();
      }
    } catch (IOException e) {
      runner.failed(this, hasClosed("its input"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read() {
    LineSplitter splitter = new LineSplitter(MAX_LINE_BYTES, StandardCharsets.UTF_8);
    byte[] bytes = new byte[MAX_LINE_BYTES];
    try (InputStream output = process.getInputStream()) {
      for (int count = output.read(bytes); count >= 0; count = output.read(bytes)) {
        idleOutputBytes += count;
        splitter.split(bytes, count, this::take);
        if (idleOutputBytes > MAX_IDLE_OUTPUT_BYTES) {
          runner.failed(this, "has written a megabyte that is no answer");
          return;
        }
      }
      runner.failed(this, hasClosed("its output"));
    } catch (IOException e) {
      runner.failed(this, hasClosed("its output"));
    }
  }

  private void take(String line) {
    if (line.isBlank()) {
      return;
    }
    try {
      PluginAnswer answer = PluginAnswer.read(line).orElse(null);
      if (answer == null) {
        LOG.warn("The write policy plugin has written a line that is no answer");
      } else {
        runner.answered(this, answer);
        idleOutputBytes = 0;
      }
    } catch (PluginFailure e) {
      runner.failed(this, e.reason());
    }
  }

  private void copyErrors() {
    LineSplitter splitter = new LineSplitter(MAX_LOGGED_CHARS, StandardCharsets.UTF_8);
    byte[] bytes = new byte[MAX_LINE_BYTES];
    try (InputStream errors = process.getErrorStream()) {
      for (int count = errors.read(bytes); count >= 0; count = errors.read(bytes)) {
        splitter.split(bytes, count, PluginProcess::logError);
      }
    } catch (IOException e) {
      // The process has ended or was ended.
    }
    splitter.end(PluginProcess::logError);
  }

  private static void logError(String line) {
    LOG.info("The write policy plugin reports: {}", line);
  }

  /** A process can end while a child still has its output. */
  private void reportExit() {
    try {
      output.join(ENDING_MILLIS);
      runner.failed(this, hasEnded());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String hasClosed(String stream) {
    return waitFor(Duration.ofMillis(ENDING_MILLIS)) ? hasEnded() : "has closed " + stream;
  }

  private String hasEnded() {
    return "has ended with status " + process.exitValue();
  }

  private boolean waitFor(Duration timeout) {
    try {
      return process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return !process.isAlive();
    }
  }

  /**
   * Ends the process and its children, on Linux also those that have outlived their parents, after
   * a time in which it may end by itself. Otherwise a child could keep the pipes open, and with
   * them the threads of this object.
   */
  void end(Duration grace) {
    if (!grace.isZero()) {
      waitFor(grace);
    }
    ProcessGroup.kill(process);
    ProcessHandle.allProcesses().filter(this::isMarked).forEach(ProcessHandle::destroyForcibly);
    try {
      output.join(ENDING_MILLIS);
      errors.join(ENDING_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether a process is the plugin, or descends from it. */
  private boolean isMarked(ProcessHandle other) {
    try {
      Path environment = Path.of("/proc", Long.toString(other.pid()), "environ");
      return Files.readString(environment, StandardCharsets.ISO_8859_1).contains(mark);
    } catch (IOException e) {
      return false; // it has ended, or belongs to another user, or this is no Linux
    }
  }
}
