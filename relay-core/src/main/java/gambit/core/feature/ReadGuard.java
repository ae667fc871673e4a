package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.model.Filter;
import java.util.Set;

/**
 * Says to whom events of some kinds may be shown, wherever events are shown: stored, live, counted.
 * What it knows of a reader may become more (its keys, NIP-42) and is looked up when it is asked.
 * Any thread; cheap.
 */
public interface ReadGuard {
  /** The kinds that it guards. */
  Set<Integer> kinds();

  /** Whether the event, of one of its kinds, may be shown to this reader. */
  boolean mayRead(Event event, ClientConnection reader);

  /**
   * Whether the filter, as far as it asks for kinds of this guard, can find anything that may be
   * shown to this reader.
   */
  boolean mayFind(Filter filter, ClientConnection reader);
}
