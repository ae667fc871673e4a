package gambit.chess.game;

/**
 * The past actions of one side that limit its later ones.
 *
 * <p>Immutable. Takebacks and declined offers change neither the count of illegal moves nor the ply
 * of the last offer.
 *
 * @param offeredAt the ply after which the side last offered a draw, or {@link #NEVER}
 * @param takebackAt the ply after which the side last requested a takeback, or {@link #NEVER}; a
 *     takeback resets it, since later plies get the same numbers again
 */
public record SideHistory(int illegalMoves, int offeredAt, int takebackAt) {

  public static final int NEVER = -1;
  static final SideHistory CLEAN = new SideHistory(0, NEVER, NEVER);

  SideHistory withIllegalMove() {
    return new SideHistory(illegalMoves + 1, offeredAt, takebackAt);
  }

  SideHistory withOfferAt(int ply) {
    return new SideHistory(illegalMoves, ply, takebackAt);
  }

  SideHistory withTakebackAt(int ply) {
    return new SideHistory(illegalMoves, offeredAt, ply);
  }
}
