package gambit.chess.session.journal;

import gambit.chess.dialect.InviteTerms;
import gambit.chess.dialect.SecretHash;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Positions;
import gambit.chess.rules.Side;
import gambit.core.feature.Row;
import gambit.core.feature.UnreadableRows;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The rows of pending invites, one for each. Pure. */
public final class InviteRows {
  public static final String TABLE = "chess.invites";

  private static final int ID = 32;

  private static final byte FORMAT = 1;

  private InviteRows() {}

  /**
   * The content of a row.
   *
   * @param id of the event that invites
   * @param createdAt of that event, in seconds of Unix time
   * @param rematchOf the game of which it is a rematch, else null
   */
  public record StoredInvite(
      EventId id, PubKey author, long createdAt, InviteTerms terms, @Nullable EventId rematchOf) {}

  /** The row of an invite. */
  public static Row row(StoredInvite invite) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(240);
    InviteTerms terms = invite.terms();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      out.write(invite.author().bytes());
      writeId(out, terms.opponent() == null ? null : terms.opponent().bytes());
      out.writeByte(RowCodes.SIDES.of(terms.inviter()));
      out.writeUTF(terms.time().text());
      out.writeUTF(terms.initial().fen());
      out.writeLong(terms.expiresAt());
      writeId(out, invite.rematchOf() == null ? null : invite.rematchOf().bytes());
      out.writeLong(invite.createdAt());
      out.writeBoolean(terms.isUnlisted());
      writeId(out, terms.secretHash() == null ? null : terms.secretHash().bytes());
    } catch (IOException e) {
      throw new UncheckedIOException("memory", e);
    }
    return new Row(TABLE, invite.id().bytes(), bytes.toByteArray());
  }

  /** The row that removes an invite. */
  public static Row removal(EventId invite) {
    return new Row(TABLE, invite.bytes(), null);
  }

  /**
   * Reads a row.
   *
   * @param key in hex
   * @throws UnreadableRows if it cannot be read
   */
  public static StoredInvite read(String key, byte[] value) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(value))) {
      RowCodes.requireFormat(in.readByte(), FORMAT);
      PubKey author = new PubKey(in.readNBytes(ID));
      byte[] opponent = readId(in);
      Side side = RowCodes.SIDES.orNull(in.readByte());
      TimeControl time = TimeControl.parse(in.readUTF()).orElseThrow(IOException::new);
      var initial = Positions.parseFen(in.readUTF()).orElseThrow(IOException::new);
      long expiresAt = in.readLong();
      byte[] rematch = readId(in);
      long createdAt = in.readLong();
      boolean isUnlisted = in.readBoolean();
      byte[] secretHash = readId(in);
      InviteTerms terms =
          new InviteTerms(
              opponent == null ? null : new PubKey(opponent),
              side,
              time,
              initial,
              expiresAt,
              isUnlisted,
              secretHash == null ? null : SecretHash.of(secretHash));
      return new StoredInvite(
          EventId.ofHex(key),
          author,
          createdAt,
          terms,
          rematch == null ? null : new EventId(rematch));
    } catch (IOException | RuntimeException e) {
      throw new UnreadableRows("The journal of invite " + key + " is unreadable", e);
    }
  }

  private static void writeId(DataOutputStream out, byte @Nullable [] id) throws IOException {
    out.writeBoolean(id != null);
    if (id != null) {
      out.write(id);
    }
  }

  private static byte @Nullable [] readId(DataInputStream in) throws IOException {
    return in.readBoolean() ? in.readNBytes(ID) : null;
  }
}
