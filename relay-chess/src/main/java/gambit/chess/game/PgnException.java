package gambit.chess.game;

/** A text that is no record of a game; the message says why, in printable ASCII. */
public final class PgnException extends Exception {
  private static final long serialVersionUID = 1;

  PgnException(String message) {
    super(message);
  }
}
