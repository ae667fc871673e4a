package gambit.app.command.transfer;

import gambit.core.model.Event;
import gambit.core.wire.ClientMessage;
import gambit.core.wire.MessageReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads the events of lines as relays and tools write them: an event; a message with an event, such
 * as {@code ["EVENT",{…}]} or {@code ["EVENT","subscription",{…}]}; or one line of a JSON array of
 * events. Immutable; any thread.
 */
public final class LineParser {
  private static final byte[] BEFORE = "[\"EVENT\",".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final MessageReader reader;

  public LineParser(int maxTags) {
    reader = new MessageReader(maxTags, 1, kind -> false);
  }

  /**
   * The line as a message, whose event is not checked; empty if it has nothing, such as blanks, or
   * the brackets of an array.
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
