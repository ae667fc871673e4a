package gambit.chess.session.intake;

import gambit.chess.session.runtime.ChessSettings;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.model.RelayUrls;
import gambit.core.wire.Reason;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Checks whether a chess event is meant for this relay and this time, so that a captured event has
 * no effect elsewhere or later. Pure.
 *
 * @param inForce the settings, of which some may change
 */
public record Admission(Supplier<ChessSettings> inForce, RelayUrls urls) {
  private static final String RELAY = "relay";

  /** The objection to an event, if there is one. */
  public Optional<Reason> objection(Submission submission) {
    Event event = submission.event();
    long maxSkew = inForce.get().maxClockSkew().toSeconds();
    long skew = Math.abs(event.createdAt() - submission.arrivedAt().getEpochSecond());
    if (skew > maxSkew) {
      return Optional.of(
          Reason.invalid("created_at is more than " + maxSkew + " s from the relay's clock"));
    }
    if (!event.tags().has(RELAY)) {
      return inForce.get().requireRelayTag()
          ? Optional.of(Reason.invalid("name this relay in a relay tag"))
          : Optional.empty();
    }
    return event.tags().values(RELAY).anyMatch(urls::contains)
        ? Optional.empty()
        : Optional.of(Reason.invalid("this event is for another relay"));
  }

  /**
   * Why the author of an event would have to log in over its connection, if so. Another relay can
   * forward an event without a relay tag; it has no effect while its author is logged in over a
   * connection of their own.
   *
   * @param bound the connections that are bound to the author, of all nodes of a cluster
   */
  public Optional<Reason> lackOfLogin(Submission submission, Collection<ClientConnection> bound) {
    PubKey author = submission.event().pubkey();
    if (submission.connection().keys().contains(author)) {
      return Optional.empty();
    } else if (inForce.get().requireAuth()) {
      return Optional.of(Reason.authRequired("players have to log in here"));
    }
    return !submission.event().tags().has(RELAY)
            && bound.stream().anyMatch(it -> it.keys().contains(author))
        ? Optional.of(Reason.authRequired("another connection of this player is logged in"))
        : Optional.empty();
  }
}
