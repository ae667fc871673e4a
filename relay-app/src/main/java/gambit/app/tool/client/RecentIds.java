package gambit.app.tool.client;

import gambit.core.model.EventId;
import java.util.LinkedHashSet;
import java.util.Set;

/** The last ids of some sort, such as of refused events. Confined to one thread. */
public final class RecentIds {
  private final Set<EventId> ids = new LinkedHashSet<>();
  private final int bound;

  /** Beyond the bound, the oldest are forgotten. */
  public RecentIds(int bound) {
    this.bound = bound;
  }

  /** Remembers an id; false if it was known. */
  public boolean add(EventId id) {
    if (!ids.add(id)) {
      return false;
    }
    if (ids.size() > bound) {
      ids.remove(ids.iterator().next());
    }
    return true;
  }

  public boolean contains(EventId id) {
    return ids.contains(id);
  }
}
