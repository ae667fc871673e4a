package gambit.chess.session;

/** What a player of the NIP-100 dialect can do beyond the others. */
public interface Nip100Player extends Player {
  /** Moves, and offers a draw with the same event. */
  void moveOffering(String uci);

  /**
   * Makes a move that is counted as illegal.
   *
   * @param count how many there are with it
   */
  void moveIllegally(String uci, int count);
}
