package gambit.chess.session.runtime;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import gambit.chess.session.journal.SeenRows;
import gambit.chess.session.journal.SeenRows.Effect;
import gambit.core.feature.Row;
import gambit.core.feature.UnreadableRows;
import gambit.core.model.EventId;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Verified chess events that were ruled on, so that the same one again has no second effect and
 * gets the first one's answer. The chess lane's only.
 *
 * <p>An event is remembered until it is too old to be taken anyway, so that none can have an effect
 * twice, not even after a restart: what is not stored itself has a row of the store. When very many
 * are remembered, no further search is begun ({@link #isFull}). Refusals that have changed nothing
 * are remembered apart, each with a row of its own, and the oldest give way.
 */
public final class SeenEvents {
  private static final int MANY = 200_000;
  private static final int REFUSALS = 50_000;

  /** As many events as may be under way in the relay. */
  private static final int STORED = 20_000;

  private static final Ruling TAKEN = new Ruling(Optional.empty(), null);

  /** Rows that are removed with each that is set, at most. */
  private static final int SWEPT = 4;

  /**
   * How an event was answered.
   *
   * @param refusal empty when it was accepted
   * @param search of an accepted connect: the search or game that it led to, else null
   */
  public record Ruling(Optional<Reason> refusal, @Nullable ColourAnswers search) {}

  /** A refusal without any effect, and until when it is needed, in epoch milliseconds. */
  private record Refusal(Ruling ruling, long until) {}

  /** A row and until when it is needed, in epoch milliseconds. */
  private record Kept(EventId id, long until) {}

  private final Cache<EventId, Ruling> rulings;
  private final Map<EventId, Ruling> stored = latest(STORED);
  private final Map<EventId, Long> commands = new LinkedHashMap<>(); // until when; oldest first
  private final Map<EventId, Refusal> refusals = new LinkedHashMap<>(); // oldest first
  private final Map<EventId, Ruling> unbound = latest(REFUSALS);
  private final Deque<Kept> kept = new ArrayDeque<>(); // in the order of their times
  private final InstantSource time;
  private final Duration maxClockSkew;
  private final Duration memory;

  public SeenEvents(Duration maxClockSkew, InstantSource time) {
    this.time = time;
    this.maxClockSkew = maxClockSkew;
    this.memory = maxClockSkew.multipliedBy(2).plusSeconds(1);
    this.rulings =
        Caffeine.newBuilder()
            .expireAfterWrite(memory)
            .ticker(() -> TimeUnit.MILLISECONDS.toNanos(time.millis()))
            .executor(Runnable::run)
            .build();
  }

  private static Map<EventId, Ruling> latest(int most) {
    return new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<EventId, Ruling> eldest) {
        return size() > most;
      }
    };
  }

  public Optional<Ruling> of(EventId id) {
    return Optional.ofNullable(rulings.getIfPresent(id))
        .or(() -> Optional.ofNullable(stored.get(id)))
        .or(() -> Optional.ofNullable(commands.get(id)).map(until -> TAKEN))
        .or(() -> Optional.ofNullable(refusals.get(id)).flatMap(this::inForce));
  }

  private Optional<Ruling> inForce(Refusal refusal) {
    return time.millis() < refusal.until() ? Optional.of(refusal.ruling()) : Optional.empty();
  }

  /** How an event was answered, for a connection that is not bound to its author. */
  public Optional<Ruling> ofUnbound(EventId id) {
    return of(id).or(() -> Optional.ofNullable(unbound.get(id)));
  }

  public boolean isFull() {
    if (rulings.estimatedSize() >= MANY) {
      rulings.cleanUp();
    }
    return rulings.estimatedSize() >= MANY;
  }

  /** Remembers an event that has had an effect. */
  public void accepted(EventId id, @Nullable ColourAnswers search) {
    rulings.put(id, search == null ? TAKEN : new Ruling(Optional.empty(), search));
  }

  /**
   * Remembers an event that is stored until all have been handled that came before the store knew
   * it.
   */
  public void stored(EventId id) {
    stored.put(id, TAKEN);
  }

  /**
   * Remembers an event that has had an effect on a game and is not stored itself. There are as many
   * as can be committed before the oldest is too old to be taken, so they are no reason to begin no
   * further search.
   */
  public void commanded(EventId id) {
    long now = time.millis();
    Iterator<Long> oldest = commands.values().iterator();
    for (int i = 0; i < SWEPT && oldest.hasNext() && oldest.next() <= now; i++) {
      oldest.remove();
    }
    commands.put(id, now + memory.toMillis());
  }

  /** Remembers a refusal that was counted against the player; there are two in a game at most. */
  public void counted(EventId id, Reason reason) {
    rulings.put(id, new Ruling(Optional.of(reason), null));
  }

  /**
   * Remembers a refusal without any effect, until its event is too old to be taken anyway.
   *
   * @param createdAt of the event, in seconds: it may become fresh only later
   * @param reason null when it was refused in other words than those of its OK, which was true
   * @return what to commit before it is told, so that it is remembered after a restart: its row,
   *     and the end of rows that are not needed any more; nothing when the event is too old already
   */
  public List<Row> refused(EventId id, long createdAt, @Nullable Reason reason) {
    long now = time.millis();
    if (createdAt + maxClockSkew.toSeconds() < now / 1000) {
      return List.of();
    }
    List<Row> rows = new ArrayList<>();
    Iterator<Map.Entry<EventId, Refusal>> oldest = refusals.entrySet().iterator();
    while (rows.size() < SWEPT && oldest.hasNext()) {
      Map.Entry<EventId, Refusal> entry = oldest.next();
      boolean isOneTooMany = refusals.size() >= REFUSALS;
      if (!isOneTooMany && now < entry.getValue().until()) {
        break;
      }
      rows.add(SeenRows.noRow(entry.getKey()));
      oldest.remove();
    }
    long until = Math.max(now, createdAt * 1000) + memory.toMillis();
    refusals.put(id, new Refusal(new Ruling(Optional.ofNullable(reason), null), until));
    rows.add(SeenRows.row(new SeenRows.Entry(id, until, Effect.NONE, Optional.ofNullable(reason))));
    return rows;
  }

  /**
   * Remembers what was refused in other words over a connection that is not bound to its author: it
   * is used up for such connections, so that nobody can try it again in another game, but not for
   * its author's, so that nobody can spoil it by sending it too early.
   */
  public void refusedUnbound(EventId id) {
    unbound.put(id, TAKEN);
  }

  /**
   * What to commit with the effect of an event that is not stored itself, and of rows that are not
   * needed any more.
   *
   * @param refusal of one that is counted against the player
   * @param isSearch whether it is a connect
   */
  public List<Row> rows(EventId id, @Nullable Reason refusal, boolean isSearch) {
    long now = time.millis();
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < SWEPT && !kept.isEmpty() && kept.peekFirst().until() <= now; i++) {
      rows.add(SeenRows.noRow(kept.removeFirst().id()));
    }
    long until = now + memory.toMillis();
    kept.addLast(new Kept(id, until));
    rows.add(
        SeenRows.row(
            new SeenRows.Entry(
                id,
                until,
                isSearch ? Effect.SEARCH : Effect.COMMAND,
                Optional.ofNullable(refusal))));
    return rows;
  }

  /**
   * Remembers what was committed before a restart.
   *
   * @param rows by their key, in hex
   * @throws UnreadableRows when one cannot be read
   */
  public void recover(Map<String, byte[]> rows) {
    List<Kept> all = new ArrayList<>(rows.size());
    List<Map.Entry<EventId, Refusal>> refused = new ArrayList<>();
    rows.forEach(
        (key, value) -> {
          SeenRows.Entry row = SeenRows.read(key, value);
          ColourAnswers search = row.effect() == Effect.SEARCH ? new ColourAnswers() : null;
          Ruling ruling = new Ruling(row.refusal(), search);
          if (row.effect() == Effect.NONE) {
            refused.add(Map.entry(row.id(), new Refusal(ruling, row.until())));
          } else {
            all.add(new Kept(row.id(), row.until()));
            rulings.put(row.id(), ruling);
          }
        });
    refused.sort(Comparator.comparingLong(entry -> entry.getValue().until()));
    refused.forEach(entry -> refusals.put(entry.getKey(), entry.getValue()));
    all.sort((a, b) -> Long.compare(a.until(), b.until()));
    kept.addAll(all);
  }
}
