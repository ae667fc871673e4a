package gambit.core.nip;

import gambit.core.feature.EventGate;
import gambit.core.limit.Limit;
import gambit.core.limit.Limits;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;

/** The checks of events that every relay has. */
public final class StandardGates {
  private StandardGates() {}

  /**
   * The checks, in order.
   *
   * @param self the relay's own key; clients must not publish under it, since an event of it that
   *     the relay has not stored is an old answer to another client
   */
  public static List<EventGate> of(Limits limits, PubKey self) {
    int secondsAhead = limits.get(Limit.SECONDS_AHEAD);
    int longest = limits.get(Limit.TAG_VALUE_LENGTH);
    EventGate notFromTheFuture =
        it ->
            it.event().createdAt() > it.arrivedAt().getEpochSecond() + secondsAhead
                ? Optional.of(Reason.invalid("created_at is too far in the future"))
                : Optional.empty();
    EventGate noLongTagValues =
        it ->
            it.event().tags().list().stream()
                    .flatMap(List::stream)
                    .anyMatch(value -> isLongerThan(longest, value))
                ? Optional.of(Reason.invalid("a tag has more than " + longest + " characters"))
                : Optional.empty();
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

  private static boolean isLongerThan(int characters, String text) {
    return text.length() > characters && text.codePointCount(0, text.length()) > characters;
  }
}
