package gambit.chess.session;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import gambit.core.model.EventId;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Verified chess events that were ruled on, so that the same one again has no second effect and
 * gets the first one's answer. The chess lane's only.
 *
 * <p>An event is remembered until it is too old to be taken anyway, so that none can have an effect
 * twice; when very many are, no further search is begun ({@link #isFull}). Refusals that have
 * changed nothing are remembered apart, and the oldest give way.
 */
final class SeenEvents {
  private static final int MANY = 200_000;
  private static final int REFUSALS = 50_000;

  /**
   * How an event was answered.
   *
   * @param refusal empty when it was accepted
   * @param search of an accepted connect: the search or game that it led to, else null
   */
  record Ruling(Optional<Reason> refusal, @Nullable Connects search) {}

  private final Cache<EventId, Ruling> rulings;
  private final Map<EventId, Ruling> refusals =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<EventId, Ruling> eldest) {
          return size() > REFUSALS;
        }
      };

  SeenEvents(Duration maxClockSkew, InstantSource time) {
    this.rulings =
        Caffeine.newBuilder()
            .expireAfterWrite(maxClockSkew.multipliedBy(2).plusSeconds(1))
            .ticker(() -> TimeUnit.MILLISECONDS.toNanos(time.millis()))
            .executor(Runnable::run)
            .build();
  }

  Optional<Ruling> of(EventId id) {
    return Optional.ofNullable(rulings.getIfPresent(id))
        .or(() -> Optional.ofNullable(refusals.get(id)));
  }

  boolean isFull() {
    if (rulings.estimatedSize() >= MANY) {
      rulings.cleanUp();
    }
    return rulings.estimatedSize() >= MANY;
  }

  /** Remembers an event that has had an effect. */
  void accepted(EventId id, @Nullable Connects search) {
    rulings.put(id, new Ruling(Optional.empty(), search));
  }

  /** Remembers an event that is going to be stored, if there is room: the store knows it, too. */
  void stored(EventId id) {
    if (!isFull()) {
      accepted(id, null);
    }
  }

  /** Remembers a refusal that was counted against the player; there are two in a game at most. */
  void counted(EventId id, Reason reason) {
    rulings.put(id, new Ruling(Optional.of(reason), null));
  }

  /** Remembers a refusal without any effect. */
  void refused(EventId id, Reason reason) {
    refusals.put(id, new Ruling(Optional.of(reason), null));
  }

  /** The event has not happened after all: it may be sent again. */
  void forget(EventId id) {
    rulings.invalidate(id);
  }
}
