package gambit.core.ingest;

import gambit.core.crypto.EventVerifier;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.EventHandler;
import gambit.core.feature.EventHandler.ClaimedEvent;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.store.EventStore;
import gambit.core.wire.RelayMessage.Ok;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * Answers an event that is stored already, without verifying it if its sender may read the stored
 * one. Any other sender must have the whole event to learn that it is stored, since an id is not
 * enough: that event is answered by {@link #answerToVerified}, after its signature was verified.
 */
final class DuplicateStage implements Stage {
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

  @Override
  public Optional<Ok> answer(IncomingEvent incoming) {
    Submission submission = incoming.submission();
    Event event = submission.event();
    if (!store.contains(event.id()) || rules.hides(event, submission.arrivedAt())) {
      return Optional.empty();
    }
    incoming.setStored();
    return mayReadStored(event, submission.connection())
        ? answerToVerified(incoming)
        : Optional.empty();
  }

  /** The answer to a verified event that is stored already. */
  Optional<Ok> answerToVerified(IncomingEvent incoming) {
    if (!incoming.isStored()) {
      return Optional.empty();
    }
    incoming.answeredEarly();
    boolean isRequest = incoming.claim().map(ClaimedEvent::isRequest).orElse(false);
    return Optional.of(
        Ok.duplicate(
            incoming.event(),
            isRequest ? EventHandler.ALREADY_HANDLED : WriteOutcome.DUPLICATE.reason()));
  }

  /** Whether the sender may read the stored event with the id of the submitted one. */
  private boolean mayReadStored(Event event, ClientConnection sender) {
    if (sender.isOperator()) {
      return true;
    }
    if (verifier.hasValidId(event)) {
      return mayRead.test(event, sender); // the same contents
    }
    Filter byId = new Filter(Set.of(event.id()), null, null, Map.of(), null, null, null);
    return store.query(byId, store.lastOffset()).next(1, Integer.MAX_VALUE).found().stream()
        .allMatch(stored -> mayRead.test(stored.event(), sender));
  }
}
