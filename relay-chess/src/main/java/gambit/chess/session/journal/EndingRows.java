package gambit.chess.session.journal;

import gambit.chess.dialect.Notification;
import gambit.core.feature.Row;
import gambit.core.feature.UnreadableRows;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PackedEvent;
import gambit.core.model.PubKey;
import java.nio.ByteBuffer;

/** The rows of endings that may be missed, one for each player and game. Pure. */
public final class EndingRows {
  public static final String TABLE = "chess.endings";

  private static final byte FORMAT = 1;
  private static final int NO_NUMBER = -1;
  private static final int KEY_PART_HEX = 64;

  /** The length of a row before its event. */
  private static final int FIXED_LENGTH = 13;

  private EndingRows() {}

  /** The row of an ending. */
  public static Row row(MissedEnding ending) {
    Event event = ending.notice().event();
    Integer number = ending.notice().number();
    ByteBuffer out = ByteBuffer.allocate(FIXED_LENGTH + PackedEvent.sizeInBytes(event));
    out.put(FORMAT).putLong(ending.until()).putInt(number == null ? NO_NUMBER : number);
    PackedEvent.pack(event, out);
    return new Row(TABLE, key(ending), out.array());
  }

  /** The row that removes an ending. */
  public static Row removal(MissedEnding ending) {
    return new Row(TABLE, key(ending), null);
  }

  private static byte[] key(MissedEnding ending) {
    return ByteBuffer.allocate(KEY_PART_HEX)
        .put(ending.player().bytes())
        .put(ending.game().bytes())
        .array();
  }

  /**
   * Reads a row.
   *
   * @param key in hex
   * @throws UnreadableRows if it cannot be read
   */
  public static MissedEnding read(String key, byte[] value) {
    try {
      ByteBuffer in = ByteBuffer.wrap(value);
      RowCodes.requireFormat(in.get(), FORMAT);
      long until = in.getLong();
      int number = in.getInt();
      Event event = PackedEvent.unpack(in, FIXED_LENGTH, value.length - FIXED_LENGTH);
      return new MissedEnding(
          PubKey.ofHex(key.substring(0, KEY_PART_HEX)),
          EventId.ofHex(key.substring(KEY_PART_HEX)),
          new Notification(event, number == NO_NUMBER ? null : number),
          until);
    } catch (RuntimeException e) {
      throw new UnreadableRows("The journal of ending " + key + " is unreadable", e);
    }
  }
}
