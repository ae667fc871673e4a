package gambit.core.ingest;

import gambit.core.crypto.EventVerifier;
import gambit.core.feature.AsyncEventGate;
import gambit.core.feature.EventCheck;
import gambit.core.feature.EventGate;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.rate.RateLimiter;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The checks of events from outside. Immutable.
 *
 * @param gates the checks of clients' events
 * @param ofImports the checks of events that the operator imports
 * @param beforeStoring the checks of either that are repeated right before an event is stored
 * @param trusted whether an author is exempt from the rate limit and the gate that answers later
 */
public record EventChecks(
    EventVerifier verifier,
    List<EventGate> gates,
    List<EventCheck> ofImports,
    List<EventCheck> beforeStoring,
    RateLimiter rates,
    Predicate<PubKey> trusted,
    Optional<AsyncEventGate> asyncGate) {
  public EventChecks {
    gates = List.copyOf(gates);
    ofImports = List.copyOf(ofImports);
    beforeStoring = List.copyOf(beforeStoring);
  }

  /** Why a gate objects to a verified event, or the rate limit of its author. */
  Optional<Reason> objection(Submission submission) {
    for (EventGate gate : gates) {
      Optional<Reason> objection = gate.objection(submission);
      if (objection.isPresent()) {
        return objection;
      }
    }
    PubKey author = submission.event().pubkey();
    return submission.awaited() || trusted.test(author)
        ? Optional.empty()
        : rates.objection(Verb.EVENT, author);
  }

  Optional<Reason> objectionToImport(Submission submission) {
    return Kind.isEphemeral(submission.event().kind())
        ? Optional.of(Reason.invalid("ephemeral events are not stored"))
        : first(ofImports, submission.event(), submission.arrivedAt());
  }

  /** Whether the gate that answers later is to be asked about an event, as a claimed one or not. */
  boolean concernsAsyncGate(Submission submission, boolean isClaimed) {
    return asyncGate.isPresent()
        && !trusted.test(submission.event().pubkey())
        && asyncGate.get().concerns(submission, isClaimed);
  }

  /** Whether a check objects right before the event is stored. */
  boolean refuseNow(Submission submission) {
    return first(beforeStoring, submission.event(), submission.arrivedAt()).isPresent();
  }

  private static Optional<Reason> first(List<EventCheck> checks, Event event, Instant now) {
    for (EventCheck check : checks) {
      Optional<Reason> objection = check.objection(event, now);
      if (objection.isPresent()) {
        return objection;
      }
    }
    return Optional.empty();
  }
}
