package gambit.core.store;

/**
 * The store cannot go on, and nothing in this process can mend it: a sync that failed, for
 * instance, after which the system may have dropped what was written. Only a new start finds out
 * what is on the disk; so this is an error, which ends the process.
 */
public final class StoreFailure extends Error {
  private static final long serialVersionUID = 1;

  public StoreFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
