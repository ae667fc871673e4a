package gambit.app.tool.client;

import gambit.core.model.EventId;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The ids of the last events of some sort, to notice those that are delivered again. Owned by the
 * client's thread.
 */
final class RecentIds {
  private final Set<EventId> ids = new LinkedHashSet<>();
  private final int bound;

  /**
   * Creates an empty set.
   *
   * @param bound the number of ids beyond which the oldest are forgotten
   */
  RecentIds(int bound) {
    this.bound = bound;
  }

  /** Remembers an id; false if it was known. */
  boolean add(EventId id) {
    if (!ids.add(id)) {
      return false;
    }
    if (ids.size() > bound) {
      ids.remove(ids.iterator().next());
    }
    return true;
  }
}
