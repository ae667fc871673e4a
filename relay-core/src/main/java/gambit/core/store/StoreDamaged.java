package gambit.core.store;

import java.io.IOException;

/**
 * The event log is damaged. The store never repairs damage silently: the operator decides whether
 * to restore a backup or accept the loss.
 */
public final class StoreDamaged extends IOException {
  public StoreDamaged(String segment, long position, String fault) {
    super("the event log is damaged: segment " + segment + ", byte " + position + ": " + fault);
  }

  public StoreDamaged(String fault) {
    super("the event log is damaged: " + fault);
  }
}
