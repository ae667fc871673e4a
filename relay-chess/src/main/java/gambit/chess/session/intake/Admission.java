package gambit.chess.session.intake;

import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.RelayUrls;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Checks whether a chess event is meant for this relay and this time, so that a captured event has
 * no effect elsewhere or later. Pure.
 *
 * @param requireAuth whether players must log in (NIP-42); may change
 */
public record Admission(Duration maxClockSkew, BooleanSupplier requireAuth, RelayUrls urls) {
  private static final String RELAY = "relay";

  /** The objection to an event, if there is one. */
  public Optional<Reason> objection(Submission submission) {
    Event event = submission.event();
    long skew = Math.abs(event.createdAt() - submission.arrivedAt().getEpochSecond());
    if (skew > maxClockSkew.toSeconds()) {
      return Optional.of(
          Reason.invalid(
              "created_at is more than " + maxClockSkew.toSeconds() + " s from the relay's clock"));
    }
    if (event.tags().has(RELAY) && event.tags().values(RELAY).noneMatch(urls::contains)) {
      return Optional.of(Reason.invalid("this event is for another relay"));
    }
    return Optional.empty();
  }

  /** Whether the connection would have to log in as the event's author. */
  public boolean lacksLogin(Submission submission) {
    return requireAuth.getAsBoolean()
        && !submission.connection().keys().contains(submission.event().pubkey());
  }
}
