package gambit.chess.game;

import gambit.chess.rules.Move;
import gambit.chess.rules.Side;

/** What is asked of the referee; each command names the side that asks, or whom it befalls. */
public sealed interface Command {

  Side by();

  /** To play a move; it counts against the side when it cannot be played. */
  record Play(Side by, Move move) implements Command {}

  /** To offer a draw, which accepts the opponent's offer if that stands (FIDE 9.1). */
  record OfferDraw(Side by) implements Command {}

  /** To accept the opponent's draw offer. */
  record Accept(Side by) implements Command {}

  /** To decline the opponent's draw offer. */
  record Decline(Side by) implements Command {}

  /** To claim a draw by threefold repetition or by fifty moves (FIDE 9.2, 9.3). */
  record ClaimDraw(Side by) implements Command {}

  /** To resign (FIDE 5.1.2). */
  record Resign(Side by) implements Command {}

  /** To call the game off before it counts. */
  record Abort(Side by) implements Command {}

  /** To take back the wish to play, just after the lobby has paired the side. */
  record Cancel(Side by) implements Command {}

  /** Said by the session manager: the side has left and its time to come back has ended. */
  record Abandon(Side by) implements Command {}
}
