package gambit.app.tool.bot;

import gambit.app.common.ErrorMessages;
import gambit.app.common.LineSplitter;
import gambit.app.common.ProcessGroup;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * A process that speaks UCI, as lines whose words are separated by single blanks. Used by one
 * thread; a thread of its own reads the output. Lines that do not begin with a word of the protocol
 * are skipped, the rest of a line beyond {@link #MAX_LINE_BYTES} too, and a process that writes
 * more than {@link #MAX_OUTPUT_BYTES} for one command is ended.
 */
final class UciProcess implements AutoCloseable {
  static final int MAX_LINE_BYTES = 4096;
  static final int MAX_OUTPUT_BYTES = 8 << 20;

  /** Unread lines; beyond that, the process waits in its writes until some are read. */
  private static final int MAX_LINES = 200;

  private static final Set<String> WORDS =
      Set.of("id", "uciok", "readyok", "bestmove", "option", "info");
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final String END = "";
  private static final int QUIT_MILLIS = 100;

  private final Process process;
  private final OutputStream input;
  private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(MAX_LINES);
  private final Thread reader = new Thread(this::read, "uci-engine-output");
  private final AtomicInteger outputBytes = new AtomicInteger();
  private volatile boolean isEnded;
  private volatile boolean isTooMuch;

  UciProcess(List<String> command) throws EngineFailure {
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    } catch (IOException e) {
      throw new EngineFailure("cannot be started: " + ErrorMessages.of(e));
    }
    input = process.getOutputStream();
    reader.setDaemon(true);
    reader.start();
  }

  void send(String command) throws EngineFailure {
    outputBytes.set(0);
    try {
      input.write((command + "\n").getBytes(StandardCharsets.US_ASCII));
      input.flush();
    } catch (IOException e) {
      throw ended();
    }
  }

  /** The next line, or empty if there is none before the deadline, of {@link System#nanoTime}. */
  Optional<String> next(long deadline) throws EngineFailure, InterruptedException {
    String line = lines.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    if (line == null && !isEnded) {
      return Optional.empty();
    } else if (line == null || line.equals(END)) {
      throw ended();
    }
    return Optional.of(line);
  }

  private EngineFailure ended() {
    return new EngineFailure(
        isTooMuch
            ? "has written more than " + MAX_OUTPUT_BYTES / (1 << 20) + " MB for one command"
            : process.isAlive()
                ? "has closed its output"
                : "has ended with status " + process.exitValue());
  }

  private void read() {
    LineSplitter splitter = new LineSplitter(MAX_LINE_BYTES, StandardCharsets.ISO_8859_1);
    byte[] bytes = new byte[8192];
    try (InputStream output = process.getInputStream()) {
      for (int count = output.read(bytes); count >= 0; count = output.read(bytes)) {
        if (outputBytes.addAndGet(count) > MAX_OUTPUT_BYTES) {
          isTooMuch = true;
          break;
        }
        splitter.split(bytes, count, line -> add(BLANKS.matcher(line.strip()).replaceAll(" ")));
      }
    } catch (IOException e) {
      // The process has ended or was ended.
    } finally {
      ProcessGroup.kill(process);
      isEnded = true;
      put(END);
    }
  }

  private void add(String line) {
    int space = line.indexOf(' ');
    if (WORDS.contains(space < 0 ? line : line.substring(0, space))) {
      put(line);
    }
  }

  private void put(String line) {
    try {
      lines.put(line);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody reads any more: the process is being ended
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    try {
      send("quit");
      input.close();
      process.waitFor(QUIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (EngineFailure | IOException e) {
      // It is ended below.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      reader.interrupt();
      ProcessGroup.kill(process);
    }
  }

  /** A UCI engine cannot be used; its message says why, in words for an operator. */
  static final class EngineFailure extends Exception {
    private static final long serialVersionUID = 1;

    EngineFailure(String message) {
      super(message);
    }
  }
}
