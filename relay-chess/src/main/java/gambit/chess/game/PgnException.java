package gambit.chess.game;

/** A text is not a game in PGN; the message has the reason, in printable ASCII. */
public final class PgnException extends Exception {
  PgnException(String message) {
    super(message);
  }
}
