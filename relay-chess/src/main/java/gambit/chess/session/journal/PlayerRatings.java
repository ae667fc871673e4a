package gambit.chess.session.journal;

import gambit.chess.rating.Category;
import gambit.chess.rating.Rating;
import gambit.core.feature.Commit;
import gambit.core.feature.Row;
import gambit.core.model.PubKey;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * The row of a player with a rated game: the ratings, and the rated games of the last day with one
 * against opponents whose keys are larger. Immutable. About 30 bytes for each category, and 9 for
 * each such opponent.
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
