package gambit.chess.session.journal;

import gambit.chess.dialect.Notification;
import gambit.core.feature.Row;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PackedEvent;
import gambit.core.model.PubKey;
import java.nio.ByteBuffer;

/**
 * The ending of a game, for a player whom it is not known to have reached; each has a row.
 * Immutable.
 *
 * @param notice the player's notification, in the dialect of the player's seat
 * @param until the time at which it expires, in epoch milliseconds
 */
public record MissedEnding(PubKey player, EventId game, Notification notice, long until) {
  public static final String TABLE = "chess.endings";

  private static final int NO_NUMBER = -1;
  private static final int KEY_PART_HEX = 2 * RowCodes.ID;

  public Row row() {
    Event event = notice.event();
    Integer number = notice.number();
    ByteBuffer out =
        ByteBuffer.allocate(1 + Long.BYTES + Integer.BYTES + PackedEvent.sizeInBytes(event));
    out.put(RowCodes.FORMAT).putLong(until).putInt(number == null ? NO_NUMBER : number);
    PackedEvent.pack(event, out);
    return new Row(TABLE, key(), out.array());
  }

  public Row removal() {
    return new Row(TABLE, key(), null);
  }

  private byte[] key() {
    return ByteBuffer.allocate(2 * RowCodes.ID).put(player.bytes()).put(game.bytes()).array();
  }

  public static MissedEnding read(String key, byte[] value) {
    return RowCodes.read(
        "ending",
        key,
        value,
        in -> {
          long until = in.getLong();
          int number = in.getInt();
          Event event = PackedEvent.unpack(in, in.position(), in.remaining());
          return new MissedEnding(
              PubKey.ofHex(key.substring(0, KEY_PART_HEX)),
              EventId.ofHex(key.substring(KEY_PART_HEX)),
              new Notification(event, number == NO_NUMBER ? null : number),
              until);
        });
  }
}
