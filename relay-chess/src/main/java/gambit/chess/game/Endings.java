package gambit.chess.game;

import gambit.chess.game.GameEvent.Ended;
import gambit.chess.rules.Side;
import java.util.ArrayList;
import java.util.List;

/** The steps that end a game. Pure. */
final class Endings {
  private Endings() {}

  /**
   * Ends a game; an open proposal lapses.
   *
   * @param before the events that have led to the end
   */
  static Step end(
      OngoingGame last, Result result, Termination termination, long now, GameEvent... before) {
    List<GameEvent> events = new ArrayList<>(List.of(before));
    events.add(new Ended(result, termination));
    FinishedGame over = new FinishedGame(last.withProposal(null, now), result, termination, now);
    return new Step(over, List.copyOf(events));
  }

  /** Ends a game without a result. */
  static Step abort(OngoingGame last, long now) {
    return end(last, Result.NONE, Termination.ABORTED, now);
  }

  /** Ends a game that a side forfeits: a draw if the opponent cannot mate, else a loss. */
  static Step forfeit(
      OngoingGame last, Side side, Termination termination, long now, GameEvent... before) {
    Side opponent = side.opponent();
    Result result = last.position().canMate(opponent) ? Result.winFor(opponent) : Result.DRAW;
    return end(last, result, termination, now, before);
  }
}
