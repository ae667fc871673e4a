package gambit.core.ingest;

import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import java.util.Optional;

/** Refuses an event that is not what its author signed, by its id and then by its signature. */
final class SignatureStage implements Stage {
  private final EventVerifier verifier;
  private final IngestMetrics metrics;

  SignatureStage(EventVerifier verifier, IngestMetrics metrics) {
    this.verifier = verifier;
    this.metrics = metrics;
  }

  @Override
  public Optional<Ok> answer(IncomingEvent incoming) {
    Event event = incoming.event();
    Optional<Reason> forgery = incoming.hasVerifiedSignature() ? falseId(event) : forgery(event);
    if (forgery.isEmpty()) {
      return Optional.empty();
    }
    incoming.forged();
    return Optional.of(Ok.refused(event, forgery.get()));
  }

  /** Why the event is not what its author signed; nothing when it is. */
  Optional<Reason> forgery(Event event) {
    long start = System.nanoTime();
    Optional<Reason> forgery = falseId(event);
    if (forgery.isEmpty() && !verifier.hasValidSignature(event)) {
      forgery = Optional.of(Reason.invalid("the signature does not verify"));
    }
    metrics.verified(start);
    return forgery;
  }

  private Optional<Reason> falseId(Event event) {
    return verifier.hasValidId(event)
        ? Optional.empty()
        : Optional.of(Reason.invalid("the id is not the hash of the event"));
  }
}
