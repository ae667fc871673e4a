package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.model.Filter;
import java.util.Set;

/**
 * Decides who may read events of some kinds, stored or live. A reader may log in with further keys
 * at any time (NIP-42), so each call looks at the current ones. Called on any thread, for every
 * such event, so it must be cheap.
 */
public interface ReadGuard {
  /** The guarded kinds. */
  Set<Integer> kinds();

  /** Whether the reader may read the event, which is of a guarded kind. */
  boolean mayRead(Event event, ClientConnection reader);

  /**
   * Whether the filter can match any event of the guarded kinds that the reader may read. Called
   * for filters that name one of the kinds.
   */
  boolean mayFind(Filter filter, ClientConnection reader);
}
