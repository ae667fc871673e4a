package gambit.chess.session.rating;

import gambit.chess.rating.Category;
import gambit.chess.rating.RatingChain;
import gambit.chess.session.journal.PlayerRatings;
import gambit.core.feature.Commit;
import gambit.core.feature.Row;
import gambit.core.model.PubKey;
import java.util.List;

/** The players of a rated game, with what their rows have. Immutable. */
record RatedPair(PubKey white, PubKey black, PlayerRatings whites, PlayerRatings blacks) {

  static RatedPair read(Commit.Rows rows, PubKey white, PubKey black) {
    return new RatedPair(
        white, black, PlayerRatings.of(rows, white), PlayerRatings.of(rows, black));
  }

  RatingChain.Pair in(Category category) {
    return new RatingChain.Pair(whites.in(category), blacks.in(category));
  }

  /** The games of a pair are counted in the row of the smaller key. */
  private boolean isCountedByWhite() {
    return white.compareTo(black) < 0;
  }

  boolean mayPlay(long day) {
    int games =
        isCountedByWhite() ? whites.gamesAgainst(black, day) : blacks.gamesAgainst(white, day);
    return games < RatingChain.MAX_GAMES_OF_A_PAIR;
  }

  /** The players after their game, which is counted on its day. */
  RatedPair after(RatingChain.Link link, long day) {
    PlayerRatings whitesAfter = whites.with(link.category(), link.after().white());
    PlayerRatings blacksAfter = blacks.with(link.category(), link.after().black());
    return new RatedPair(
        white,
        black,
        isCountedByWhite() ? whitesAfter.withGameAgainst(black, day) : whitesAfter,
        isCountedByWhite() ? blacksAfter : blacksAfter.withGameAgainst(white, day));
  }

  List<Row> rows() {
    return List.of(whites.row(white), blacks.row(black));
  }
}
