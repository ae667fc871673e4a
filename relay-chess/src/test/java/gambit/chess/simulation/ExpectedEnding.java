package gambit.chess.simulation;

import gambit.chess.game.OngoingGame;
import gambit.chess.game.Result;
import gambit.chess.game.Termination;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ending of a game, as far as its commit shows it; the rest is known from the output. */
final class ExpectedEnding {
  private final OngoingGame before;
  private final Position last;
  private final @Nullable Event move;
  private final List<Submission> asked;
  private final long deadline;
  private final long[] gone;
  private final boolean missedMove;
  private final long at;
  private @Nullable Result result;
  private @Nullable Termination termination;

  /**
   * An end.
   *
   * @param before the game before the step that has ended it
   * @param last the position after it
   * @param move the event of a last move that is part of that step
   * @param asked the arrivals of the player's event that asked for it; none if it was the relay
   * @param deadline when the time of the side to move was up
   * @param gone for how long each side had been gone
   * @param missedMove whether a legal move had arrived in time
   */
  ExpectedEnding(
      OngoingGame before,
      Position last,
      @Nullable Event move,
      List<Submission> asked,
      long deadline,
      long[] gone,
      boolean missedMove,
      long at) {
    this.before = before;
    this.last = last;
    this.move = move;
    this.asked = List.copyOf(asked);
    this.deadline = deadline;
    this.gone = gone;
    this.missedMove = missedMove;
    this.at = at;
  }

  OngoingGame before() {
    return before;
  }

  Position last() {
    return last;
  }

  @Nullable Event move() {
    return move;
  }

  /** The player's event that asked for it, if it was not the relay. */
  @Nullable Event cause() {
    return asked.isEmpty() ? null : asked.get(0).event();
  }

  long deadline() {
    return deadline;
  }

  long goneFor(Side side) {
    return gone[side.index()];
  }

  boolean missedMove() {
    return missedMove;
  }

  long at() {
    return at;
  }

  @Nullable Result result() {
    return result;
  }

  @Nullable Termination termination() {
    return termination;
  }

  void is(Result how, Termination why) {
    result = how;
    termination = why;
  }

  /** Whether one side has made less than two moves. */
  boolean mayBeAborted() {
    return move == null && Math.min(before.movesOf(Side.WHITE), before.movesOf(Side.BLACK)) < 2;
  }
}
