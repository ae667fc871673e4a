package gambit.core.nip;

import gambit.core.feature.EventGate;
import gambit.core.limit.CurrentLimits;
import gambit.core.limit.Limit;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The checks of events that every relay has. */
public final class StandardGates {
  private StandardGates() {}

  /**
   * The checks, in order.
   *
   * @param self the relay's own key; clients must not publish under it, since an event of it that
   *     the relay has not stored is an old answer to another client
   */
  public static List<EventGate> of(CurrentLimits limits, PubKey self) {
    LongSupplier secondsAhead = limits.of(Limit.SECONDS_AHEAD);
    LongSupplier longest = limits.of(Limit.TAG_VALUE_LENGTH);
    EventGate notFromTheFuture =
        it ->
            it.event().createdAt() > it.arrivedAt().getEpochSecond() + secondsAhead.getAsLong()
                ? Optional.of(Reason.invalid("created_at is too far in the future"))
                : Optional.empty();
    EventGate noLongTagValues = it -> longTagValue(it.event(), longest.getAsLong());
    EventGate notInOurName =
        it ->
            it.event().pubkey().equals(self)
                ? Optional.of(Reason.blocked("only the relay publishes under its key"))
                : Optional.empty();
    EventGate notALogin =
        it ->
            it.event().kind() == Kind.CLIENT_AUTH
                ? Optional.of(Reason.invalid("kind 22242 is for AUTH messages only"))
                : Optional.empty();
    return List.of(notFromTheFuture, noLongTagValues, notInOurName, notALogin);
  }

  private static Optional<Reason> longTagValue(Event event, long longest) {
    return event.tags().list().stream()
            .flatMap(List::stream)
            .anyMatch(value -> isLongerThan(longest, value))
        ? Optional.of(Reason.invalid("a tag has more than " + longest + " characters"))
        : Optional.empty();
  }

  private static boolean isLongerThan(long characters, String text) {
    return text.length() > characters && text.codePointCount(0, text.length()) > characters;
  }
}
