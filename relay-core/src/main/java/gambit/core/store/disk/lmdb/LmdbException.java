package gambit.core.store.disk.lmdb;

/** A call of LMDB has failed, or was not made because what it would use is closed. */
public final class LmdbException extends RuntimeException {
  private static final int PANIC = -30795;

  private final int code;

  LmdbException(int code, String message) {
    super(message);
    this.code = code;
  }

  LmdbException(String message) {
    this(0, message); // the call was not made
  }

  /** LMDB's code of the error, which is negative, or the system's. */
  public int code() {
    return code;
  }

  /** Whether LMDB has failed in a way after which it refuses all transactions. */
  public boolean isPanic() {
    return code == PANIC;
  }
}
