package gambit.chess.session.play;

import gambit.chess.rating.Category;
import gambit.chess.rating.Rating;
import gambit.chess.rating.RatingChain;
import gambit.core.feature.Commit;
import gambit.core.feature.Row;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The committed rows about rated games: one with the chain of records, and one for each player.
 * Owned by the chess lane.
 */
public final class StoredRatings {
  public static final String TABLE = "chess.ratings";

  private static final Reason INCOMPLETE =
      Reason.error("rated games are off: the relay's operator has to import all rated records");

  private final Commit.Rows rows;
  private boolean isComplete;

  public StoredRatings(Commit.Rows rows) {
    this.rows = rows;
  }

  public Rating of(PubKey player, Category category) {
    return PlayerRatings.of(rows, player).in(category);
  }

  public ChainRow chain() {
    return ChainRow.of(rows);
  }

  /** Sets whether no rated record of this relay is missing in the store. */
  public void setComplete(boolean complete) {
    isComplete = complete;
  }

  public boolean areComplete() {
    return isComplete;
  }

  /** Why no rated game can begin, if that is so. */
  public Optional<Reason> objection() {
    return isComplete ? Optional.empty() : Optional.of(INCOMPLETE);
  }

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

    /**
     * The seconds after which a head is due without a further record; empty if the last is on it.
     */
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

  /**
   * The row of a player with a rated game: the ratings, and the rated games of the last day with
   * one against opponents whose keys are larger. Immutable. About 30 bytes for each category, and 9
   * for each such opponent.
   *
   * @param day the last day of chain time on which the games of a pair were counted
   * @param games the games of that day by the opponent, of whose key the first eight bytes count
   */
  public record PlayerRatings(Map<Category, Rating> ratings, long day, Map<Long, Integer> games) {
    public static final PlayerRatings NONE = new PlayerRatings(Map.of(), 0, Map.of());

    private static final int RATING_BYTES = 1 + 4 * Integer.BYTES + Long.BYTES;

    public PlayerRatings {
      ratings = Map.copyOf(ratings);
      games = Map.copyOf(games);
    }

    public Rating in(Category category) {
      return ratings.getOrDefault(category, Rating.INITIAL);
    }

    public PlayerRatings with(Category category, Rating rating) {
      Map<Category, Rating> changed = new EnumMap<>(Category.class);
      changed.putAll(ratings);
      changed.put(category, rating);
      return new PlayerRatings(changed, day, games);
    }

    public int gamesAgainst(PubKey opponent, long onDay) {
      return onDay == day ? games.getOrDefault(opponent.word(0), 0) : 0;
    }

    public PlayerRatings withGameAgainst(PubKey opponent, long onDay) {
      Map<Long, Integer> counted = new HashMap<>(onDay == day ? games : Map.of());
      counted.merge(opponent.word(0), 1, Integer::sum);
      return new PlayerRatings(ratings, onDay, counted);
    }

    public Row row(PubKey player) {
      ByteBuffer out =
          ByteBuffer.allocate(
              2 + ratings.size() * RATING_BYTES + Long.BYTES + games.size() * (Long.BYTES + 1));
      out.put(RowCodes.FORMAT).put((byte) ratings.size());
      ratings.forEach(
          (category, rating) ->
              out.put(category.code())
                  .putInt(rating.rating())
                  .putInt(rating.deviation())
                  .putInt(rating.volatility())
                  .putInt(rating.games())
                  .putLong(rating.lastAt()));
      out.putLong(day);
      games.forEach((opponent, count) -> out.putLong(opponent).put(count.byteValue()));
      return new Row(StoredRatings.TABLE, player.bytes(), out.array());
    }

    public static PlayerRatings of(Commit.Rows rows, PubKey player) {
      return rows.row(StoredRatings.TABLE, player.bytes())
          .map(row -> read(player.hex(), row))
          .orElse(NONE);
    }

    public static PlayerRatings read(String player, byte[] row) {
      return RowCodes.read("ratings", player, row, PlayerRatings::read);
    }

    private static PlayerRatings read(ByteBuffer in) {
      Map<Category, Rating> ratings = new EnumMap<>(Category.class);
      for (int left = in.get(); left > 0; left--) {
        Category category = Category.ofCode(in.get());
        ratings.put(
            category, new Rating(in.getInt(), in.getInt(), in.getInt(), in.getInt(), in.getLong()));
      }
      long day = in.getLong();
      Map<Long, Integer> games = new HashMap<>();
      while (in.hasRemaining()) {
        games.put(in.getLong(), (int) in.get());
      }
      return new PlayerRatings(ratings, day, games);
    }
  }
}
