package gambit.chess.session.journal;

import gambit.chess.rating.RatingChain;
import gambit.core.feature.Commit;
import gambit.core.feature.Row;
import gambit.core.model.EventId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The one row about the chain of rated records. Immutable.
 *
 * @param headLength the length of the chain at the last head; 0 before the first
 * @param headTime the chain time of the last head
 */
public record ChainRow(RatingChain chain, long headLength, long headTime) {
  private static final byte[] KEY = "chain".getBytes(StandardCharsets.US_ASCII);

  private static final int HEAD_RECORDS = 100;
  private static final long HEAD_SECONDS = 86_400;
  public static final ChainRow START = new ChainRow(RatingChain.START, 0, 0);

  /** Whether the relay signs a head now, at a chain time. */
  public boolean needsHead(long time) {
    return chain.length() > headLength
        && (headLength == 0
            || chain.length() % HEAD_RECORDS == 0
            || time - headTime >= HEAD_SECONDS);
  }

  /** The seconds after which a head is due without a further record; empty if the last is on it. */
  public Optional<Long> secondsToHead(long time) {
    return chain.length() == headLength
        ? Optional.empty()
        : Optional.of(Math.max(0, headTime + HEAD_SECONDS - time));
  }

  public ChainRow with(RatingChain longer) {
    return new ChainRow(longer, headLength, headTime);
  }

  public ChainRow withHead(long time) {
    return new ChainRow(chain, chain.length(), time);
  }

  public Row row() {
    byte[] value =
        ByteBuffer.allocate(1 + 2 * RowCodes.ID + 4 * Long.BYTES)
            .put(RowCodes.FORMAT)
            .putLong(chain.length())
            .put(chain.last().bytes())
            .put(chain.ratings())
            .putLong(chain.time())
            .putLong(headLength)
            .putLong(headTime)
            .array();
    return new Row(StoredRatings.TABLE, KEY, value);
  }

  public static ChainRow of(Commit.Rows rows) {
    return rows.row(StoredRatings.TABLE, KEY)
        .map(value -> RowCodes.read("rated games", "chain", value, ChainRow::read))
        .orElse(START);
  }

  private static ChainRow read(ByteBuffer in) {
    return new ChainRow(
        new RatingChain(
            in.getLong(),
            new EventId(RowCodes.bytes(in, RowCodes.ID)),
            RowCodes.bytes(in, RowCodes.ID),
            in.getLong()),
        in.getLong(),
        in.getLong());
  }
}
