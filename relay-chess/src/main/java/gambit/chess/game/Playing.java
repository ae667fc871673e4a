package gambit.chess.game;

import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import org.jspecify.annotations.Nullable;

/**
 * A game that is being played.
 *
 * <p>Immutable; any thread.
 *
 * @param initial where it started, by either side to move
 * @param position where it stands
 * @param moves what led from the one to the other
 * @param white what White has used up
 * @param black what Black has used up
 * @param drawOffer the side whose draw offer stands, or null
 * @param startedAt epoch milliseconds
 */
public record Playing(
    Position initial,
    Position position,
    PlayedMoves moves,
    Conduct white,
    Conduct black,
    @Nullable Side drawOffer,
    long startedAt)
    implements Game {

  /**
   * A game before its first move.
   *
   * @throws IllegalArgumentException if the position is already the end of a game
   */
  public static Playing start(Position initial, long startedAt) {
    if (initial.outcome().isPresent()) {
      throw new IllegalArgumentException("the game would be over: " + initial.fen());
    }
    return new Playing(
        initial, initial, PlayedMoves.NONE, Conduct.CLEAN, Conduct.CLEAN, null, startedAt);
  }

  /** The side to move. */
  public Side turn() {
    return position.turn();
  }

  /** The plies played since the start, 0 at the start also from a set-up position. */
  public int plies() {
    return moves.size();
  }

  /** How many moves the side has played since the start. */
  public int movesOf(Side side) {
    return (side == initial.turn() ? plies() + 1 : plies()) / 2;
  }

  public Conduct conduct(Side side) {
    return side == Side.WHITE ? white : black;
  }

  /** Whether the side has a draw offer of its opponent to answer. */
  public boolean isOffered(Side side) {
    return drawOffer == side.opponent();
  }

  Playing afterMove(Move move, Position next, @Nullable Side standingOffer) {
    return new Playing(initial, next, moves.append(move), white, black, standingOffer, startedAt);
  }

  Playing withConduct(Side side, Conduct conduct) {
    return side == Side.WHITE
        ? new Playing(initial, position, moves, conduct, black, drawOffer, startedAt)
        : new Playing(initial, position, moves, white, conduct, drawOffer, startedAt);
  }

  Playing withDrawOffer(@Nullable Side side) {
    return new Playing(initial, position, moves, white, black, side, startedAt);
  }
}
