package gambit.chess.game;

import gambit.chess.rules.LegalMove;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A command to the referee: the request of a side, or an event that the session manager has
 * detected. {@code by} is the side that asks or is affected.
 */
public sealed interface Command {

  /**
   * A move; an illegal one counts against the side.
   *
   * @param offersDraw whether a draw is offered with it, unless it ends the game (FIDE 9.1.2.1)
   * @param legal the same move if it is known to be legal, else null
   */
  record Play(Side by, Move move, boolean offersDraw, @Nullable LegalMove legal)
      implements Command {

    public Play(Side by, Move move, boolean offersDraw) {
      this(by, move, offersDraw, null);
    }

    public Play(Side by, LegalMove legal, boolean offersDraw) {
      this(by, legal.move(), offersDraw, legal);
    }

    Optional<Position> playedIn(Position position) {
      return legal != null && legal.before() == position
          ? Optional.of(legal.after())
          : position.play(move);
    }
  }

  record Plain(Type type, Side by) implements Command {}

  enum Type {
    /** To offer a draw; it accepts the opponent's offer if there is one (FIDE 9.1). */
    OFFER_DRAW,
    /** To take back the side's last move; it accepts the opponent's request if there is one. */
    TAKEBACK,
    ACCEPT,
    DECLINE,
    /** To claim a draw by threefold repetition or by fifty moves (FIDE 9.2, 9.3). */
    CLAIM_DRAW,
    /** FIDE 5.1.2. */
    RESIGN,
    /** To abort the game, before the side's second move. */
    ABORT
  }

  /** The end of a search that has just led to the game, before the side's first move. */
  record Cancel(Side by) implements Command {}

  /** From the session manager: the grace period of a disconnected side has ended. */
  record Abandon(Side by) implements Command {}

  /** From the session manager: the deadline of the side to move has passed (FIDE 6.8). */
  record TimeUp() implements Command {}
}
