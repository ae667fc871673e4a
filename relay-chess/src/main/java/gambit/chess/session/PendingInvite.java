package gambit.chess.session;

import gambit.chess.dialect.InviteTerms;
import gambit.chess.dialect.SecretHash;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.chess.session.play.ColourNotifications;
import gambit.chess.session.play.RowCodes;
import gambit.core.feature.Row;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An invite that waits to be accepted; each has a row. Immutable.
 *
 * @param from its author's address, or null after a restart
 * @param createdAt of the event, in seconds of Unix time
 * @param colourNotifications the event itself, if its dialect notifies of the colour; none after a
 *     restart
 */
public record PendingInvite(
    EventId id,
    PubKey author,
    @Nullable ClientAddress from,
    long createdAt,
    InviteTerms terms,
    @Nullable EventId rematchOf,
    ColourNotifications colourNotifications) {
  public static final String TABLE = "chess.invites";

  private static final int MAX_LENGTH = 512;

  public boolean isFor(PubKey player) {
    return terms.opponent() == null ? !author.equals(player) : player.equals(terms.opponent());
  }

  /** Whether it has expired at a time in epoch milliseconds. */
  public boolean isExpired(long time) {
    return time >= terms.expiresAt() * 1000;
  }

  public Row row() {
    ByteBuffer out = ByteBuffer.allocate(MAX_LENGTH);
    out.put(RowCodes.FORMAT).put(author.bytes());
    RowCodes.putId(out, terms.opponent() == null ? null : terms.opponent().bytes());
    RowCodes.putSide(out, terms.inviter());
    RowCodes.putText(out, terms.time().text());
    RowCodes.putText(out, terms.initial().fen());
    out.putLong(terms.expiresAt());
    RowCodes.putId(out, rematchOf == null ? null : rematchOf.bytes());
    out.putLong(createdAt);
    out.put((byte) (terms.isUnlisted() ? 1 : 0));
    RowCodes.putId(out, terms.secretHash() == null ? null : terms.secretHash().bytes());
    out.put((byte) terms.level()).put((byte) (terms.isRated() ? 1 : 0));
    return new Row(TABLE, id.bytes(), Arrays.copyOf(out.array(), out.position()));
  }

  Row removal() {
    return new Row(TABLE, id.bytes(), null);
  }

  static PendingInvite read(String key, byte[] value) {
    return RowCodes.read("invite", key, value, in -> read(EventId.ofHex(key), in));
  }

  private static PendingInvite read(EventId id, ByteBuffer in) {
    PubKey author = new PubKey(RowCodes.bytes(in, RowCodes.ID));
    byte[] opponent = RowCodes.idOrNull(in);
    Side side = RowCodes.side(in);
    TimeControl time = TimeControl.parse(RowCodes.text(in)).orElseThrow();
    Position initial = Position.parseFen(RowCodes.text(in)).orElseThrow();
    long expiresAt = in.getLong();
    byte[] rematch = RowCodes.idOrNull(in);
    long createdAt = in.getLong();
    boolean isUnlisted = in.get() != 0;
    byte[] secretHash = RowCodes.idOrNull(in);
    int level = in.hasRemaining() ? in.get() : 0; // rows of earlier versions end before it
    boolean isRated = in.hasRemaining() && in.get() != 0;
    InviteTerms terms =
        new InviteTerms(
            opponent == null ? null : new PubKey(opponent),
            side,
            time,
            initial,
            level,
            isRated,
            expiresAt,
            isUnlisted,
            secretHash == null ? null : SecretHash.of(secretHash));
    return new PendingInvite(
        id,
        author,
        null,
        createdAt,
        terms,
        rematch == null ? null : new EventId(rematch),
        new ColourNotifications());
  }
}
