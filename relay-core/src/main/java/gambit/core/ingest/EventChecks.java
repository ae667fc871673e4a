package gambit.core.ingest;

import gambit.core.crypto.EventVerifier;
import gambit.core.feature.AsyncEventGate;
import gambit.core.feature.RelayBuilder.EventGate;
import gambit.core.feature.Submission;
import gambit.core.limit.CurrentLimits;
import gambit.core.limit.Limit;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.rate.RateLimiter;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The checks of events from outside: of an event's own fields, which every relay has, those of the
 * features, and the rate limit of its author. Immutable.
 *
 * @param ofImports the gates of events that the operator imports
 * @param refusedNow whether an event must not be stored after all; asked on the writer's thread
 * @param trusted whether an author is exempt from the rate limit and the gate that answers later
 */
public record EventChecks(
    EventVerifier verifier,
    List<EventGate> gates,
    List<EventGate> ofImports,
    Predicate<Event> refusedNow,
    RateLimiter rates,
    Predicate<PubKey> trusted,
    Optional<AsyncEventGate> asyncGate) {
  public EventChecks {
    gates = List.copyOf(gates);
    ofImports = List.copyOf(ofImports);
  }

  public static List<EventGate> ofFields(CurrentLimits limits) {
    LongSupplier secondsAhead = limits.of(Limit.SECONDS_AHEAD);
    LongSupplier longest = limits.of(Limit.TAG_VALUE_LENGTH);
    return List.of(
        it ->
            it.event().createdAt() > it.arrivedAt().getEpochSecond() + secondsAhead.getAsLong()
                ? Optional.of(Reason.invalid("created_at is too far in the future"))
                : Optional.empty(),
        it -> longTagValue(it.event(), longest.getAsLong()));
  }

  /**
   * Further checks of the fields of clients' events, which imported ones need not pass.
   *
   * @param self the relay's own key; clients must not publish under it, since an event of it that
   *     the relay has not stored is an old answer to another client
   */
  public static List<EventGate> ofClientsFields(PubKey self) {
    return List.of(
        it ->
            it.event().pubkey().equals(self)
                ? Optional.of(Reason.blocked("only the relay publishes under its key"))
                : Optional.empty(),
        it ->
            it.event().kind() == Kind.CLIENT_AUTH
                ? Optional.of(Reason.invalid("kind 22242 is for AUTH messages only"))
                : Optional.empty());
  }

  private static Optional<Reason> longTagValue(Event event, long longest) {
    List<List<String>> tags = event.tags().list();
    for (int i = 0; i < tags.size(); i++) {
      List<String> tag = tags.get(i);
      for (int n = 0; n < tag.size(); n++) {
        String value = tag.get(n);
        if (value.length() > longest && value.codePointCount(0, value.length()) > longest) {
          return Optional.of(Reason.invalid("a tag has more than " + longest + " characters"));
        }
      }
    }
    return Optional.empty();
  }

  /** Why a gate objects to a verified event, or the rate limit of its author. */
  Optional<Reason> objection(Submission submission) {
    Optional<Reason> objection = first(gates, submission);
    PubKey author = submission.event().pubkey();
    return objection.isPresent() || submission.awaited() || trusted.test(author)
        ? objection
        : rates.objection(Verb.EVENT, author);
  }

  Optional<Reason> objectionToImport(Submission submission) {
    return Kind.isEphemeral(submission.event().kind())
        ? Optional.of(Reason.invalid("ephemeral events are not stored"))
        : first(ofImports, submission);
  }

  private static Optional<Reason> first(List<EventGate> gates, Submission submission) {
    for (EventGate gate : gates) {
      Optional<Reason> objection = gate.objection(submission);
      if (objection.isPresent()) {
        return objection;
      }
    }
    return Optional.empty();
  }

  /** Whether the gate that answers later is to be asked about an event, as a claimed one or not. */
  boolean concernsAsyncGate(Submission submission, boolean isClaimed) {
    return asyncGate.isPresent()
        && !trusted.test(submission.event().pubkey())
        && asyncGate.get().concerns(submission, isClaimed);
  }
}
