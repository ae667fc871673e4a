package gambit.chess.game;

/**
 * The past actions of one side that limit its later ones.
 *
 * <p>Immutable. Takebacks and declined offers change neither the count of illegal moves nor the ply
 * of the last offer.
 *
 * @param illegalMoves the number of illegal moves
 * @param offeredAt the ply after which the side last offered a draw, or {@link #NEVER}
 * @param takebackAt the ply after which the side last requested a takeback, or {@link #NEVER}; a
 *     takeback resets it, since later plies get the same numbers again
 */
public record Conduct(int illegalMoves, int offeredAt, int takebackAt) {

  public static final int NEVER = -1;

  /** The state at the start of a game. */
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
}
