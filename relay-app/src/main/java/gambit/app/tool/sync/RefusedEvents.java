package gambit.app.tool.sync;

import gambit.core.model.EventId;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The events that a relay has refused, such as deleted ones, so that each comparison does not move
 * them again. Beyond {@link #MAX}, the oldest are forgotten. Confined to one thread.
 */
final class RefusedEvents {
  private static final int MAX = 100_000;

  private final Set<EventId> ids = new LinkedHashSet<>();

  void add(EventId id) {
    if (ids.add(id) && ids.size() > MAX) {
      ids.remove(ids.iterator().next());
    }
  }

  boolean contains(EventId id) {
    return ids.contains(id);
  }
}
