package gambit.chess.dialect;

/** A tag of a player's event cannot be understood; the message is for the player. */
public final class BadTag extends Exception {
  private static final long serialVersionUID = 1;

  public BadTag(String message) {
    super(message);
  }
}
