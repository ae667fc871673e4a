package gambit.chess.session.journal;

import gambit.chess.rules.Side;
import gambit.core.feature.Row;
import gambit.core.model.EventId;
import java.nio.ByteBuffer;

/**
 * Whom a slow game has to remind, and when it has reminded its players; it is removed with the
 * game. Immutable.
 *
 * @param owed the number of plies after which the player to move was away; {@link #NOTHING} if the
 *     player is not to be reminded
 * @param white when White was reminded, in epoch milliseconds; 0 if never
 * @param black as for White
 */
public record ReminderRow(int owed, long white, long black) {
  public static final String TABLE = "chess.reminders";

  public static final int NOTHING = -1;
  public static final ReminderRow NONE = new ReminderRow(NOTHING, 0, 0);

  private static final int LENGTH = 1 + Integer.BYTES + 2 * Long.BYTES;

  public long remindedAt(Side side) {
    return side == Side.WHITE ? white : black;
  }

  public ReminderRow withOwed(int plies) {
    return new ReminderRow(plies, white, black);
  }

  /** The row after a reminder. */
  public ReminderRow reminded(Side side, long now) {
    return side == Side.WHITE
        ? new ReminderRow(NOTHING, now, black)
        : new ReminderRow(NOTHING, white, now);
  }

  public Row row(EventId game) {
    ByteBuffer out = ByteBuffer.allocate(LENGTH);
    out.put(RowCodes.FORMAT).putInt(owed).putLong(white).putLong(black);
    return new Row(TABLE, game.bytes(), out.array());
  }

  public static Row removal(EventId game) {
    return new Row(TABLE, game.bytes(), null);
  }

  public static ReminderRow read(String key, byte[] value) {
    return RowCodes.read(
        "reminders", key, value, in -> new ReminderRow(in.getInt(), in.getLong(), in.getLong()));
  }
}
