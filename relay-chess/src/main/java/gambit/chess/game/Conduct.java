package gambit.chess.game;

/**
 * What one side has used up of the referee's and the opponent's patience.
 *
 * <p>Immutable. The first two never go back: they survive takebacks and declined offers.
 *
 * @param illegalMoves moves that could not be played, 0 or more
 * @param offeredAt the ply after which the side last offered a draw, or {@link #NEVER}
 * @param takebackAt the ply after which the side last asked for a takeback, or {@link #NEVER}; also
 *     when the game has since gone back, as plies then are counted anew
 */
public record Conduct(int illegalMoves, int offeredAt, int takebackAt) {

  public static final int NEVER = -1;

  /** The conduct of a side that has done nothing yet. */
  static final Conduct CLEAN = new Conduct(0, NEVER, NEVER);

  Conduct withIllegalMove() {
    return new Conduct(illegalMoves + 1, offeredAt, takebackAt);
  }

  Conduct withOfferAt(int ply) {
    return new Conduct(illegalMoves, ply, takebackAt);
  }

  Conduct withTakebackAt(int ply) {
    return new Conduct(illegalMoves, offeredAt, ply);
  }

  /** Whether the side may offer again after {@code ply} plies, {@code apart} plies being due. */
  boolean mayOfferAt(int ply, int apart) {
    return offeredAt == NEVER || ply - offeredAt >= apart;
  }
}
