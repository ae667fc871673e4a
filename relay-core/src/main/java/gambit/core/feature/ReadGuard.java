package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import java.util.Set;

/**
 * Says to whom events of some kinds may be shown, wherever events are shown: stored, live, counted.
 * The keys are those that the client has proved to hold (NIP-42). Pure; any thread.
 */
public interface ReadGuard {
  /** The kinds that it guards. */
  Set<Integer> kinds();

  /** Whether the event, of one of its kinds, may be shown to somebody with these keys. */
  boolean mayRead(Event event, Set<PubKey> keys);

  /**
   * Whether the filter, as far as it asks for kinds of this guard, can find anything that may be
   * shown to somebody with these keys.
   */
  boolean mayFind(Filter filter, Set<PubKey> keys);
}
