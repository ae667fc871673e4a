package gambit.core.ingest;

import gambit.core.crypto.EventVerifier;
import gambit.core.feature.AsyncEventGate;
import gambit.core.feature.EventGate;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.rate.RateLimiter;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The checks of an event before it is stored or passed to a handler: its id and signature, the
 * gates, the rate limit of its author, and the gate that answers later. Thread-safe.
 */
public final class EventChecks {
  private final EventVerifier verifier;
  private final List<EventGate> gates;
  private final RateLimiter rates;
  private final Predicate<PubKey> trusted;
  private final Optional<AsyncEventGate> asyncGate;

  /**
   * Creates the checks.
   *
   * @param trusted whether an author is exempt from the rate limit and the gate that answers later
   */
  public EventChecks(
      EventVerifier verifier,
      List<EventGate> gates,
      RateLimiter rates,
      Predicate<PubKey> trusted,
      Optional<AsyncEventGate> asyncGate) {
    this.verifier = verifier;
    this.gates = List.copyOf(gates);
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
    if (!verifier.hasValidId(event)) {
      return Optional.of(Reason.invalid("the id is not the hash of the event"));
    }
    return verifier.hasValidSignature(event)
        ? Optional.empty()
        : Optional.of(Reason.invalid("the signature does not verify"));
  }

  /**
   * The first objection of a gate or of the rate limit, which awaited events and trusted authors
   * are exempt from. The event is verified.
   */
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

  /**
   * The gate that checks the event once nothing else objects, if there is one. Trusted authors are
   * exempt from it.
   */
  Optional<AsyncEventGate> asyncGate(Submission submission, boolean isClaimed) {
    return asyncGate.filter(
        gate -> !trusted.test(submission.event().pubkey()) && gate.concerns(submission, isClaimed));
  }
}
