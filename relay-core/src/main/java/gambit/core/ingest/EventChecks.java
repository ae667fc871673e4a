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
 * The checks of an event before it is stored or passed to a handler: its id and signature, the
 * gates, the rate limit of its author, and the gate that answers later. Thread-safe.
 */
public final class EventChecks {
  private final EventVerifier verifier;
  private final Checks checks;
  private final RateLimiter rates;
  private final Predicate<PubKey> trusted;
  private final Optional<AsyncEventGate> asyncGate;

  /**
   * The checks that the relay and its features have.
   *
   * @param gates the checks of clients' events
   * @param ofImports the checks of events that the operator imports
   * @param beforeStoring the checks of either that are repeated right before an event is stored
   */
  public record Checks(
      List<EventGate> gates, List<EventCheck> ofImports, List<EventCheck> beforeStoring) {
    public Checks {
      gates = List.copyOf(gates);
      ofImports = List.copyOf(ofImports);
      beforeStoring = List.copyOf(beforeStoring);
    }
  }

  /**
   * Creates the checks.
   *
   * @param trusted whether an author is exempt from the rate limit and the gate that answers later
   */
  public EventChecks(
      EventVerifier verifier,
      Checks checks,
      RateLimiter rates,
      Predicate<PubKey> trusted,
      Optional<AsyncEventGate> asyncGate) {
    this.verifier = verifier;
    this.checks = checks;
    this.rates = rates;
    this.trusted = trusted;
    this.asyncGate = asyncGate;
  }

  /** Whether the id is the hash of the event's contents. */
  boolean hasValidId(Event event) {
    return verifier.hasValidId(event);
  }

  /** Why the event is not what its author signed; nothing when it is. */
  Optional<Reason> forgery(Event event) {
    Optional<Reason> falseId = falseId(event);
    return falseId.isPresent() || verifier.hasValidSignature(event)
        ? falseId
        : Optional.of(Reason.invalid("the signature does not verify"));
  }

  /** The objection to an id that is not that of the event's contents. */
  Optional<Reason> falseId(Event event) {
    return verifier.hasValidId(event)
        ? Optional.empty()
        : Optional.of(Reason.invalid("the id is not the hash of the event"));
  }

  /**
   * The first objection of a gate or of the rate limit, which awaited events and trusted authors
   * are exempt from. The event is verified.
   */
  Optional<Reason> objection(Submission submission) {
    for (EventGate gate : checks.gates()) {
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

  /** The first objection to an event that the operator imports. */
  Optional<Reason> objectionToImport(Event event, Instant now) {
    return Kind.isEphemeral(event.kind())
        ? Optional.of(Reason.invalid("ephemeral events are not stored"))
        : first(checks.ofImports(), event, now);
  }

  /** The first objection to an event that is about to be stored, after it has passed all checks. */
  Optional<Reason> lateObjection(Submission submission) {
    return first(checks.beforeStoring(), submission.event(), submission.arrivedAt());
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

  /**
   * The gate that checks the event once nothing else objects, if there is one. Trusted authors are
   * exempt from it.
   */
  Optional<AsyncEventGate> asyncGate(Submission submission, boolean isClaimed) {
    boolean isNeeded =
        asyncGate.isPresent()
            && !trusted.test(submission.event().pubkey())
            && asyncGate.get().concerns(submission, isClaimed);
    return isNeeded ? asyncGate : Optional.empty();
  }
}
