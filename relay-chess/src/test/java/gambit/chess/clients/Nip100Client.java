package gambit.chess.clients;

/** The additional actions of a player of the NIP-100 dialect. */
public interface Nip100Client extends ChessClient {
  /** Moves, and offers a draw with the same event. */
  void moveOffering(String uci);

  /**
   * Makes a move that is counted as illegal.
   *
   * @param count how many there are with it
   */
  void moveIllegally(String uci, int count);
}
