package gambit.core.nip;

import gambit.core.feature.EventCheck;
import gambit.core.feature.EventGate;
import gambit.core.limit.CurrentLimits;
import gambit.core.limit.Limit;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.ArrayList;
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
    List<EventGate> gates = new ArrayList<>();
    checks(limits).forEach(check -> gates.add(check.asGate()));
    gates.add(notInOurName);
    gates.add(notALogin);
    return gates;
  }

  /** Those of the checks that events pass, too, which the operator imports. */
  public static List<EventCheck> checks(CurrentLimits limits) {
    LongSupplier secondsAhead = limits.of(Limit.SECONDS_AHEAD);
    LongSupplier longest = limits.of(Limit.TAG_VALUE_LENGTH);
    EventCheck notFromTheFuture =
        (event, now) ->
            event.createdAt() > now.getEpochSecond() + secondsAhead.getAsLong()
                ? Optional.of(Reason.invalid("created_at is too far in the future"))
                : Optional.empty();
    EventCheck noLongTagValues = (event, now) -> longTagValue(event, longest.getAsLong());
    return List.of(notFromTheFuture, noLongTagValues);
  }

  private static Optional<Reason> longTagValue(Event event, long longest) {
    List<List<String>> tags = event.tags().list();
    for (int i = 0; i < tags.size(); i++) {
      List<String> tag = tags.get(i);
      for (int n = 0; n < tag.size(); n++) {
        if (isLongerThan(longest, tag.get(n))) {
          return Optional.of(Reason.invalid("a tag has more than " + longest + " characters"));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isLongerThan(long characters, String text) {
    return text.length() > characters && text.codePointCount(0, text.length()) > characters;
  }
}
