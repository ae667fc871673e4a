package gambit.chess.session.journal;

import gambit.core.feature.Commit;
import gambit.core.feature.Row;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The one row of the lots: the chain whose values are being revealed. Immutable; its arrays must
 * not be modified.
 *
 * @param chain its number, from 1
 * @param secret its first value
 * @param position the position that was revealed last; 0 before the first
 * @param nextSecret the first value of the next chain, if that is published
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares rows
public record LotRow(int chain, byte[] secret, int position, byte @Nullable [] nextSecret) {
  public static final String TABLE = "chess.lots";

  private static final byte[] KEY = {0};

  private static final int MAX_LENGTH = 2 + 2 * Integer.BYTES + 2 * RowCodes.ID;

  public static Optional<byte[]> in(Commit.Rows rows) {
    return rows.row(TABLE, KEY);
  }

  public LotRow nextPosition() {
    return new LotRow(chain, secret, position + 1, nextSecret);
  }

  /** The row after the first value of the published next chain was revealed. */
  public LotRow nextChain() {
    return new LotRow(chain + 1, Objects.requireNonNull(nextSecret), 1, null);
  }

  public LotRow withNext(byte[] secretOfNext) {
    return new LotRow(chain, secret, position, secretOfNext);
  }

  public Row row() {
    ByteBuffer out = ByteBuffer.allocate(MAX_LENGTH);
    out.put(RowCodes.FORMAT).putInt(chain).put(secret).putInt(position);
    RowCodes.putId(out, nextSecret);
    return new Row(TABLE, KEY, Arrays.copyOf(out.array(), out.position()));
  }

  public static LotRow read(byte[] value) {
    return RowCodes.read(
        "lots",
        "",
        value,
        in ->
            new LotRow(
                in.getInt(), RowCodes.bytes(in, RowCodes.ID), in.getInt(), RowCodes.idOrNull(in)));
  }
}
