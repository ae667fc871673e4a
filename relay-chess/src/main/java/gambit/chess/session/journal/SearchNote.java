package gambit.chess.session.journal;

import gambit.chess.game.TimeControl;
import gambit.core.model.EventId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The note of a player's search, kept on each of the player's connections. Immutable.
 *
 * @param place orders the searches: those with lower ones are paired first
 * @param connects the events over this connection that are to be answered with the colour
 */
public record SearchNote(long place, TimeControl time, List<Connect> connects) {
  private static final byte FORMAT = 1;
  private static final int FIXED_LENGTH = 11;
  private static final int ID = 32;

  public SearchNote {
    connects = List.copyOf(connects);
  }

  /**
   * An event that has led to the search.
   *
   * @param dialect the name of its dialect, at most 255 characters of ASCII
   */
  public record Connect(EventId id, String dialect) {}

  /** The content of the note. */
  public byte[] bytes() {
    byte[] control = ascii(time.text());
    int length = FIXED_LENGTH + control.length;
    for (Connect connect : connects) {
      length += ID + 1 + connect.dialect().length();
    }
    ByteBuffer out = ByteBuffer.allocate(length).put(FORMAT).putLong(place);
    out.put((byte) control.length).put(control).put((byte) connects.size());
    for (Connect connect : connects) {
      byte[] name = ascii(connect.dialect());
      out.put(connect.id().bytes()).put((byte) name.length).put(name);
    }
    return out.array();
  }

  /**
   * Reads a note.
   *
   * @throws IllegalArgumentException if it has another format
   * @throws java.nio.BufferUnderflowException if it is too short
   */
  static SearchNote read(byte[] note) {
    ByteBuffer in = ByteBuffer.wrap(note);
    RowCodes.requireFormat(in.get(), FORMAT);
    long place = in.getLong();
    String control = readText(in);
    TimeControl time =
        TimeControl.parse(control)
            .orElseThrow(() -> new IllegalArgumentException("unknown time control " + control));
    List<Connect> connects = new ArrayList<>();
    for (int left = in.get() & 0xff; left > 0; left--) {
      byte[] id = new byte[ID];
      in.get(id);
      connects.add(new Connect(new EventId(id), readText(in)));
    }
    return new SearchNote(place, time, connects);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static String readText(ByteBuffer in) {
    byte[] text = new byte[in.get() & 0xff];
    in.get(text);
    return new String(text, StandardCharsets.US_ASCII);
  }
}
