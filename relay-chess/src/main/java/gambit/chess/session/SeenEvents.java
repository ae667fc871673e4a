package gambit.chess.session;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import gambit.core.model.EventId;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Verified chess events that were ruled on, so that the same one again has no second effect and
 * gets the first one's answer. The chess lane's only.
 *
 * <p>An event is remembered until it is too old to be taken anyway; at most so many are.
 */
final class SeenEvents {
  private static final int MOST = 200_000;

  /** How an event was answered; {@code refusal} is empty when it was accepted. */
  record Ruling(Optional<Reason> refusal) {}

  private final Cache<EventId, Ruling> rulings;

  SeenEvents(Duration maxClockSkew, InstantSource time) {
    this.rulings =
        Caffeine.newBuilder()
            .maximumSize(MOST)
            .expireAfterWrite(maxClockSkew.multipliedBy(2).plusSeconds(1))
            .ticker(() -> TimeUnit.MILLISECONDS.toNanos(time.millis()))
            .executor(Runnable::run)
            .build();
  }

  Optional<Ruling> of(EventId id) {
    return Optional.ofNullable(rulings.getIfPresent(id));
  }

  void accepted(EventId id) {
    rulings.put(id, new Ruling(Optional.empty()));
  }

  void refused(EventId id, Reason reason) {
    rulings.put(id, new Ruling(Optional.of(reason)));
  }

  /** The event has not happened after all: it may be sent again. */
  void forget(EventId id) {
    rulings.invalidate(id);
  }
}
