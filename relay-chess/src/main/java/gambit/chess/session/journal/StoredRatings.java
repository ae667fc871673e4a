package gambit.chess.session.journal;

import gambit.chess.rating.Category;
import gambit.chess.rating.Rating;
import gambit.core.feature.Commit;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
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
}
