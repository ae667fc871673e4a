package gambit.app.command.transfer;

import gambit.app.server.data.DataDirectory;
import gambit.app.server.data.StartFailure;
import gambit.core.crypto.EventVerifier;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Reads, parses and verifies the first lines of a file on a thread of its own, while the relay is
 * being opened: as many as the relay then takes without answering.
 */
final class ReadAhead implements AutoCloseable {
  private static final int LINES_AT_ONCE = 32;

  private final EventLines lines;
  private final LineParser parser;
  private final boolean isTrusted;
  private final FutureTask<Queue<ParsedLine>> reading = new FutureTask<>(this::read);
  private volatile boolean isEnding;

  /**
   * A line.
   *
   * @param number counted from 1
   * @param parsed null for a line that is too long
   * @param isVerified whether it has an event with a valid signature; its id is not checked
   */
  record ParsedLine(long number, LineParser.@Nullable Parsed parsed, boolean isVerified) {}

  /** Begins to read. Nobody else may read the lines until {@link #end} has returned. */
  ReadAhead(EventLines lines, LineParser parser, boolean isTrusted) {
    this.lines = lines;
    this.parser = parser;
    this.isTrusted = isTrusted;
    new Thread(reading, "read-ahead").start();
  }

  private Queue<ParsedLine> read() {
    Queue<ParsedLine> read = new ArrayDeque<>();
    try {
      EventVerifier verifier = isTrusted ? null : DataDirectory.loadVerifier();
      long bytes = 0;
      List<EventLines.Line> next = lines.next(LINES_AT_ONCE);
      while (!next.isEmpty()) {
        for (EventLines.Line line : next) {
          read.add(parse(line, verifier));
          bytes += Math.max(Importer.MIN_EVENT_BYTES, line.bytes().length);
        }
        boolean isEnough = isEnding || bytes >= LocalSink.UNANSWERED_BYTES;
        next = isEnough ? List.of() : lines.next(LINES_AT_ONCE);
      }
    } catch (StartFailure e) {
      // the relay cannot be opened for the same reason, and says so
    } catch (IOException e) {
      // the next reader of the lines gets it again
    }
    return read;
  }

  private ParsedLine parse(EventLines.Line line, @Nullable EventVerifier verifier) {
    LineParser.Parsed parsed = line.isTooLong() ? null : parser.parse(line.bytes());
    boolean isVerified =
        verifier != null
            && parsed instanceof LineParser.Found found
            && verifier.hasValidSignature(found.event());
    return new ParsedLine(line.number(), parsed, isVerified);
  }

  /** Ends reading, within some milliseconds, and returns all lines that were read, once. */
  Queue<ParsedLine> end() throws InterruptedException {
    isEnding = true;
    try {
      return reading.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("lines could not be parsed", e.getCause());
    }
  }

  EventLines lines() {
    return lines;
  }

  @Override
  public void close() {
    isEnding = true;
    try {
      reading.get();
    } catch (ExecutionException e) {
      // reported by end, unless the relay could not be opened
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
