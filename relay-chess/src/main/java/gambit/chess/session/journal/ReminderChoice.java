package gambit.chess.session.journal;

import gambit.core.feature.Row;
import gambit.core.model.PubKey;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What the relay knows of a player whom it has reminded once. It stays. Immutable.
 *
 * @param stoppedAt the second of Unix time in which a link stopped the reminders; 0 if none did
 * @param invitedAt when the player was reminded of an invite, in epoch milliseconds; 0 if never
 */
public record ReminderChoice(long stoppedAt, long invitedAt) {
  public static final String TABLE = "chess.remindees";

  /** The size of a row. */
  public static final int MAX_BYTES = RowCodes.ID + 1 + 2 * Long.BYTES;

  public static ReminderChoice of(Optional<byte[]> row, PubKey player) {
    return row.map(
            it ->
                RowCodes.read(
                    "reminders of a player",
                    player.hex(),
                    it,
                    in -> new ReminderChoice(in.getLong(), in.getLong())))
        .orElseGet(() -> new ReminderChoice(0, 0));
  }

  public Row row(PubKey player) {
    ByteBuffer out = ByteBuffer.allocate(MAX_BYTES - RowCodes.ID);
    out.put(RowCodes.FORMAT).putLong(stoppedAt).putLong(invitedAt);
    return new Row(TABLE, player.bytes(), out.array());
  }
}
