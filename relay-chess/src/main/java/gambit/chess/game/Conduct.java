package gambit.chess.game;

/**
 * What one side has used up of the referee's patience.
 *
 * <p>Immutable. Neither number ever goes back: both survive takebacks and declined offers.
 *
 * @param illegalMoves moves that could not be played, 0 or more
 * @param offeredAt the ply after which the side last offered a draw, or {@link #NEVER}
 */
public record Conduct(int illegalMoves, int offeredAt) {

  public static final int NEVER = -1;

  /** The conduct of a side that has done nothing yet. */
  static final Conduct CLEAN = new Conduct(0, NEVER);

  Conduct withIllegalMove() {
    return new Conduct(illegalMoves + 1, offeredAt);
  }

  Conduct withOfferAt(int ply) {
    return new Conduct(illegalMoves, ply);
  }

  /** Whether the side may offer again after {@code ply} plies, {@code apart} plies being due. */
  boolean mayOfferAt(int ply, int apart) {
    return offeredAt == NEVER || ply - offeredAt >= apart;
  }
}
