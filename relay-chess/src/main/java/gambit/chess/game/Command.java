package gambit.chess.game;

import gambit.chess.rules.LegalMove;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of the referee; {@code by} is the side that asks, or whom it befalls. Time runs out
 * for the side to move.
 */
public sealed interface Command {

  /** Handles this command. */
  <R> R accept(Visitor<R> visitor);

  /**
   * Handles every kind of command.
   *
   * @param <R> the result
   */
  interface Visitor<R> {
    R play(Play command);

    R offerDraw(OfferDraw command);

    R takeback(Takeback command);

    R accept(Accept command);

    R decline(Decline command);

    R claimDraw(ClaimDraw command);

    R resign(Resign command);

    R abort(Abort command);

    R cancel(Cancel command);

    R abandon(Abandon command);

    R timeUp(TimeUp command);
  }

  /**
   * To play a move; it counts against the side when it cannot be played.
   *
   * @param offersDraw whether a draw is offered with it, if the game goes on (FIDE 9.1.2.1)
   * @param legal the same move, if it was found to be legal before
   */
  record Play(Side by, Move move, boolean offersDraw, @Nullable LegalMove legal)
      implements Command {

    /** A move of which it is not known whether it is legal. */
    public Play(Side by, Move move, boolean offersDraw) {
      this(by, move, offersDraw, null);
    }

    /** A legal move. */
    public Play(Side by, LegalMove legal, boolean offersDraw) {
      this(by, legal.move(), offersDraw, legal);
    }

    /** The position after the move, if it is legal in that one. */
    Optional<Position> playedIn(Position position) {
      return legal != null && legal.before() == position
          ? Optional.of(legal.after())
          : position.play(move);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.play(this);
    }
  }

  /** To offer a draw, which accepts the opponent's offer if that stands (FIDE 9.1). */
  record OfferDraw(Side by) implements Command {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.offerDraw(this);
    }
  }

  /** To ask for one's last move back, which accepts the opponent's request if that stands. */
  record Takeback(Side by) implements Command {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.takeback(this);
    }
  }

  /** To accept what the opponent has proposed. */
  record Accept(Side by) implements Command {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.accept(this);
    }
  }

  /** To decline what the opponent has proposed. */
  record Decline(Side by) implements Command {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.decline(this);
    }
  }

  /** To claim a draw by threefold repetition or by fifty moves (FIDE 9.2, 9.3). */
  record ClaimDraw(Side by) implements Command {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.claimDraw(this);
    }
  }

  /** To resign (FIDE 5.1.2). */
  record Resign(Side by) implements Command {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.resign(this);
    }
  }

  /** To call the game off before it counts. */
  record Abort(Side by) implements Command {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.abort(this);
    }
  }

  /** To take back the wish to play, just after the lobby has paired the side. */
  record Cancel(Side by) implements Command {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.cancel(this);
    }
  }

  /** Said by the session manager: the side has left and its time to come back has ended. */
  record Abandon(Side by) implements Command {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.abandon(this);
    }
  }

  /** Said by the session manager: the game's deadline has come (FIDE 6.8). */
  record TimeUp() implements Command {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.timeUp(this);
    }
  }
}
