package gambit.chess.session.journal;

import gambit.chess.rules.Side;
import gambit.core.feature.Row;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.nio.ByteBuffer;
import java.util.Optional;

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

  /**
   * What the relay knows of a player whom it has reminded once. It stays. Immutable.
   *
   * @param stoppedAt the second of Unix time in which a link stopped the reminders; 0 if none did
   * @param invitedAt when the player was reminded of an invite, in epoch milliseconds; 0 if never
   */
  public record Choice(long stoppedAt, long invitedAt) {
    public static final String TABLE = "chess.remindees";

    public static final int MAX_BYTES = RowCodes.ID + 1 + 2 * Long.BYTES;

    public static Choice of(Optional<byte[]> row, PubKey player) {
      return row.map(
              it ->
                  RowCodes.read(
                      "reminders of a player",
                      player.hex(),
                      it,
                      in -> new Choice(in.getLong(), in.getLong())))
          .orElseGet(() -> new Choice(0, 0));
    }

    public Row row(PubKey player) {
      ByteBuffer out = ByteBuffer.allocate(MAX_BYTES - RowCodes.ID);
      out.put(RowCodes.FORMAT).putLong(stoppedAt).putLong(invitedAt);
      return new Row(TABLE, player.bytes(), out.array());
    }
  }
}
