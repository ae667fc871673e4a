package gambit.app.command.transfer;

import gambit.core.model.Event;
import gambit.core.wire.ClientMessage;
import gambit.core.wire.MessageReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the lines of a stream, each of a bounded length. One thread. */
public final class EventLines {
  private static final int BUFFER_BYTES = 1 << 17;

  /** A line that is not empty, with its number from 1; without bytes if it is too long. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Line(long number, byte[] bytes) {
    public boolean isTooLong() {
      return bytes.length == 0;
    }
  }

  private final InputStream in;
  private final int maxLineBytes;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int filled;
  private final ByteArrayOutputStream begun = new ByteArrayOutputStream(); // of a line
  private long lines;
  private final StringBuilder start = new StringBuilder(2);

  public EventLines(InputStream in, int maxLineBytes) {
    this.in = in;
    this.maxLineBytes = maxLineBytes;
  }

  /** Whether the first lines begin with an array of JSON objects; known once they are read. */
  boolean beginWithArray() {
    return start.toString().startsWith("[{");
  }

  /** Notes the first characters that are neither blank nor a byte order mark. */
  private void noteStart() {
    for (int i = 0; i < filled && start.length() < 2; i++) {
      if (" \t\r\n\u00ef\u00bb\u00bf".indexOf(buffer[i] & 0xff) < 0) {
        start.append((char) (buffer[i] & 0xff));
      }
    }
  }

  /** The next lines, as many as that unless the stream ends; empty at the end. */
  public List<Line> next(int max) throws IOException {
    List<Line> next = new ArrayList<>(max);
    for (Line line = line(); line != null; line = line()) {
      next.add(line);
      if (next.size() == max) {
        return next;
      }
    }
    return next;
  }

  private @Nullable Line line() throws IOException {
    boolean isTooLong = false;
    while (at < filled || fill()) {
      int end = at;
      while (end < filled && buffer[end] != '\n') {
        end++;
      }
      isTooLong |= begun.size() + end - at > maxLineBytes;
      if (!isTooLong) {
        begun.write(buffer, at, end - at);
      }
      at = end + 1;
      if (end < filled) {
        lines++;
        if (isTooLong || begun.size() > 0) {
          return ended(isTooLong);
        }
      }
    }
    lines++;
    return isTooLong || begun.size() > 0 ? ended(isTooLong) : null;
  }

  private boolean fill() throws IOException {
    int read = in.read(buffer);
    at = 0;
    filled = Math.max(0, read);
    noteStart();
    return filled > 0;
  }

  private Line ended(boolean isTooLong) {
    byte[] line = isTooLong ? new byte[0] : begun.toByteArray();
    begun.reset();
    return new Line(lines, line);
  }

  /**
   * Reads the events of lines as relays and tools write them: an event; a message with an event,
   * such as {@code ["EVENT",{…}]} or {@code ["EVENT","subscription",{…}]}; or one line of a JSON
   * array of events. Immutable; any thread.
   */
  public static final class LineParser {
    private static final byte[] BEFORE = "[\"EVENT\",".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final MessageReader reader;

    public LineParser(int maxTags) {
      reader = new MessageReader(maxTags, 1, kind -> false);
    }

    /**
     * The line as a message, whose event is not checked; empty if it has nothing, such as blanks,
     * or the brackets of an array.
     */
    Optional<ClientMessage> parse(byte[] line) {
      boolean isMarked =
          Arrays.equals(
              line, 0, Math.min(3, line.length), BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length);
      int from = isMarked ? BYTE_ORDER_MARK.length : 0;
      int to = line.length;
      while (from < to && isBlank(line[from])) {
        from++;
      }
      while (to > from && (isBlank(line[to - 1]) || line[to - 1] == ',')) {
        to--;
      }
      if (from == to || (to == from + 1 && (line[from] == '[' || line[from] == ']'))) {
        return Optional.empty();
      }
      if (line[from] == '[') {
        while (from < to && line[from] != '{') {
          from++;
        }
        while (to > from && line[to - 1] != '}') {
          to--;
        }
      }
      byte[] frame = new byte[BEFORE.length + to - from + 1];
      System.arraycopy(BEFORE, 0, frame, 0, BEFORE.length);
      System.arraycopy(line, from, frame, BEFORE.length, to - from);
      frame[frame.length - 1] = ']';
      return Optional.of(reader.read(frame, frame.length));
    }

    private static boolean isBlank(byte character) {
      return character == ' ' || character == '\t' || character == '\r';
    }

    public Optional<Event> event(byte[] line) {
      return parse(line).orElse(null) instanceof ClientMessage.Publish publish
          ? Optional.of(publish.event())
          : Optional.empty();
    }
  }
}
