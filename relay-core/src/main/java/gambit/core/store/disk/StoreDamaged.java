package gambit.core.store.disk;

import java.io.IOException;

/**
 * What is on the disk is not what was written there. It is never mended silently: its operator
 * decides between a backup and the loss.
 */
public final class StoreDamaged extends IOException {
  private static final long serialVersionUID = 1;

  StoreDamaged(String segment, long place, String what) {
    super("the event log is damaged: segment " + segment + ", byte " + place + ": " + what);
  }

  StoreDamaged(String what) {
    super("the event log is damaged: " + what);
  }
}
