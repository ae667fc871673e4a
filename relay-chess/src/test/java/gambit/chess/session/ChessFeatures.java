package gambit.chess.session;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.session.play.ChessSettings;
import java.util.List;
import java.util.function.Function;

/** Access to the chess feature for tests in other packages. */
public final class ChessFeatures {
  /** Number of events that may wait for the chess lane. */
  public static final int MAX_QUEUED_EVENTS = ChessFeature.MAX_QUEUED_EVENTS;

  private ChessFeatures() {}

  /** Chess in the given dialects, where the player who searched first has white. */
  public static ChessFeature withDialects(List<Function<RefereeEvents, Dialect>> dialects) {
    return new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE, dialects, null);
  }
}
