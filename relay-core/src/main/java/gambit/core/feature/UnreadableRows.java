package gambit.core.feature;

/**
 * What the store has for a feature cannot be read, so that the relay cannot start; thrown by {@link
 * Feature#install}. The message is for the operator.
 */
public final class UnreadableRows extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UnreadableRows(String message, Throwable cause) {
    super(message, cause);
  }
}
