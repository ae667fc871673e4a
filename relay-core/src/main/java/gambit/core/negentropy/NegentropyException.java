package gambit.core.negentropy;

/** A message that the protocol does not allow. Its text is a plain reason for the peer. */
public final class NegentropyException extends Exception {
  public NegentropyException(String reason) {
    super(reason, null, false, false);
  }
}
