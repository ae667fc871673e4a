package gambit.core.ingest;

import gambit.core.crypto.EventVerifier;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.store.EventStore;
import java.util.function.BiPredicate;

/**
 * Finds out whether an event is stored already. If its sender may read the stored one, it is
 * answered without being verified. Any other sender must have the whole event to learn that it is
 * stored, since an id is not enough: that event is answered after its signature was verified.
 */
final class DuplicateStage {
  private final EventStore store;
  private final StorageRules rules;
  private final EventVerifier verifier;
  private final BiPredicate<Event, ClientConnection> mayRead;

  DuplicateStage(
      EventStore store,
      StorageRules rules,
      EventVerifier verifier,
      BiPredicate<Event, ClientConnection> mayRead) {
    this.store = store;
    this.rules = rules;
    this.verifier = verifier;
    this.mayRead = mayRead;
  }

  enum Stored {
    NO,
    READABLE,
    HIDDEN
  }

  Stored find(Submission submission) {
    Event event = submission.event();
    if (!store.contains(event.id()) || rules.hides(event, submission.arrivedAt())) {
      return Stored.NO;
    }
    return mayReadStored(event, submission.connection()) ? Stored.READABLE : Stored.HIDDEN;
  }

  private boolean mayReadStored(Event event, ClientConnection sender) {
    if (sender.isOperator()) {
      return true;
    }
    if (verifier.hasValidId(event)) {
      return mayRead.test(event, sender); // the same contents
    }
    return store
        .query(Filter.ofId(event.id()), store.lastOffset())
        .next(1, Integer.MAX_VALUE)
        .found()
        .stream()
        .allMatch(stored -> mayRead.test(stored.event(), sender));
  }
}
