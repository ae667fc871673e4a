package gambit.core.nip;

import gambit.core.feature.EventGate;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;

/** The policies that every relay has. */
public final class StandardGates {
  private StandardGates() {}

  /**
   * The policies, in order.
   *
   * @param secondsAhead how far in the future {@code created_at} may lie
   * @param self the relay's own key, under which only the relay publishes: an event of it that the
   *     relay has not stored is an old answer meant for somebody else
   */
  public static List<EventGate> of(int secondsAhead, PubKey self) {
    EventGate notFromTheFuture =
        (event, now) ->
            event.createdAt() > now.getEpochSecond() + secondsAhead
                ? Optional.of(Reason.invalid("created_at is too far in the future"))
                : Optional.empty();
    EventGate notInOurName =
        (event, now) ->
            event.pubkey().equals(self)
                ? Optional.of(Reason.blocked("only the relay publishes under its key"))
                : Optional.empty();
    EventGate notALogin =
        (event, now) ->
            event.kind() == Kind.CLIENT_AUTH
                ? Optional.of(Reason.invalid("kind 22242 is for AUTH messages only"))
                : Optional.empty();
    return List.of(notFromTheFuture, notInOurName, notALogin);
  }
}
