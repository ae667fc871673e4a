package gambit.chess.dialect;

import gambit.core.wire.Reason;

/** A tag of a player's event is malformed; the message is for the player. */
public final class MalformedTagException extends Exception {
  private static final long serialVersionUID = 1;

  public MalformedTagException(String message) {
    super(message);
  }

  public Reason reason() {
    return Reason.invalid(String.valueOf(getMessage()));
  }
}
