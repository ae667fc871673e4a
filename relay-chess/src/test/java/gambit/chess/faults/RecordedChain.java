package gambit.chess.faults;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.rating.Category;
import gambit.chess.rating.RatedRecord;
import gambit.chess.rating.Rating;
import gambit.chess.rating.RatingChain;
import gambit.chess.session.play.StoredRatings.ChainRow;
import gambit.chess.session.play.StoredRatings.PlayerRatings;
import gambit.core.model.PubKey;
import gambit.core.store.EventStore;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Plays the rated games of a store again, by their records alone. */
final class RecordedChain {
  private final Map<PubKey, Map<Category, Rating>> ratings = new HashMap<>();
  private RatingChain chain = RatingChain.START;

  private RecordedChain() {}

  /**
   * Asserts that rated records are one chain, and that a store's rows are what follows from it.
   *
   * @param records in the order of their numbers
   * @return their number
   */
  static long check(List<RatedRecord> records, EventStore store) {
    RecordedChain recorded = new RecordedChain();
    records.forEach(recorded::add);
    RatingChain row = ChainRow.of(store::row).chain();
    assertThat(row).usingRecursiveComparison().as("the row of the chain").isEqualTo(recorded.chain);
    recorded.ratings.forEach(
        (player, all) ->
            assertThat(PlayerRatings.of(store::row, player).ratings())
                .as("the row of " + player)
                .isEqualTo(all));
    return recorded.chain.length();
  }

  private void add(RatedRecord record) {
    Map<Category, Rating> white = of(record.white());
    Map<Category, Rating> black = of(record.black());
    RatingChain.Pair before =
        new RatingChain.Pair(
            white.getOrDefault(record.category(), Rating.INITIAL),
            black.getOrDefault(record.category(), Rating.INITIAL));
    RatingChain.Link link =
        chain.next(
            record.category(),
            record.white(),
            record.black(),
            before,
            record.result(),
            record.createdAt());
    assertThat(link.isStatedBy(record)).as(record.toString()).isTrue();
    white.put(record.category(), link.after().white());
    black.put(record.category(), link.after().black());
    chain = link.with(record.id());
  }

  private Map<Category, Rating> of(PubKey player) {
    return ratings.computeIfAbsent(player, key -> new EnumMap<>(Category.class));
  }
}
