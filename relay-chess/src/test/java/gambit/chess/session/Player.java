package gambit.chess.session;

/** What a player does, however the client is written; each call waits for the relay's answer. */
interface Player extends AutoCloseable {
  void search();

  /** Returns the own colour. */
  String awaitGame();

  void move(String uci);

  /** Returns the opponent's move. */
  String awaitMove();

  void offerDraw();

  void awaitOffer();

  void agree();

  void resign();

  /** Waits for the word that ends the game. */
  void awaitEnd(String word);

  String pubkey();

  @Override
  void close();
}
