package gambit.core.ingest;

import gambit.core.crypto.EventVerifier;
import gambit.core.feature.AsyncEventGate;
import gambit.core.feature.EventCheck;
import gambit.core.feature.EventGate;
import gambit.core.model.PubKey;
import gambit.core.rate.RateLimiter;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What the stages of {@link Ingest} check by. Immutable.
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
}
