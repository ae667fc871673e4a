package gambit.core.feature;

/**
 * A stored row cannot be read. Thrown by {@link Feature#install}, and for the relay's own rows, it
 * keeps the relay from starting; thrown later, it fails the request that needed the row. The
 * message names the row, for the operator.
 */
public final class UnreadableRows extends RuntimeException {
  public UnreadableRows(String message, Throwable cause) {
    super(message, cause);
  }
}
