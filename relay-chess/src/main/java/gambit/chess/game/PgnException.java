package gambit.chess.game;

/** A text is not a game in PGN; the message has the reason, in printable ASCII. */
public final class PgnException extends Exception {
  private static final long serialVersionUID = 1;

  PgnException(String message) {
    super(message);
  }
}
