package gambit.core.store;

/**
 * The store failed, and this process cannot repair it: for instance, a sync failed, after which the
 * operating system may have discarded written data. Only a restart can determine what is on the
 * disk. It is an error and ends the process.
 */
public final class StoreFailure extends Error {
  public StoreFailure(String message) {
    super(message);
  }

  public StoreFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
