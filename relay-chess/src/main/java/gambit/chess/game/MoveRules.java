package gambit.chess.game;

import gambit.chess.game.GameEvent.DrawOffered;
import gambit.chess.game.GameEvent.IllegalMove;
import gambit.chess.game.GameEvent.Moved;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.util.List;
import java.util.Optional;

/** The rules on moves, legal and illegal. Immutable. */
record MoveRules(OngoingGame game, long now) {
  /** The number of illegal moves with which a side forfeits the game. */
  private static final int MAX_ILLEGAL_MOVES = 2;

  /** Decides a move. */
  Ruling play(Command.Play play) {
    Side side = play.by();
    if (side != game.turn()) {
      return Referee.NOT_YOUR_TURN;
    }
    DrawRules draws = new DrawRules(game, now);
    Refusal objection = play.offersDraw() ? draws.objectionToOfferWithMove(side) : null;
    if (objection != null) {
      return objection;
    }
    Optional<Position> played = play.playedIn(game.position());
    if (played.isEmpty()) {
      return countIllegal(play);
    }
    Position position = played.get();
    OngoingGame next = game.afterMove(play.move(), position, now);
    Moved moved = new Moved(side, play.move());
    Optional<Outcome> outcome = position.outcome();
    if (outcome.isPresent()) {
      Termination termination = Termination.of(outcome.get());
      boolean isMate = termination == Termination.CHECKMATE;
      Result result = isMate ? Result.winFor(side) : Result.DRAW;
      return Endings.end(next, result, termination, now, moved);
    }
    return play.offersDraw()
        ? new Step(draws.withOffer(next, side), List.of(moved, new DrawOffered(side)))
        : new Step(next, List.of(moved));
  }

  private Step countIllegal(Command.Play play) {
    Side side = play.by();
    SideHistory history = game.history(side).withIllegalMove();
    OngoingGame next = game.withHistory(side, history);
    IllegalMove counted = new IllegalMove(side, play.move(), history.illegalMoves());
    return history.illegalMoves() < MAX_ILLEGAL_MOVES
        ? new Step(next, List.of(counted))
        : Endings.forfeit(next, side, Termination.ILLEGALMOVES, now, counted);
  }
}
