package gambit.chess.session.runtime;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import gambit.chess.session.journal.SeenRows;
import gambit.chess.session.journal.SeenRows.Effect;
import gambit.core.feature.Row;
import gambit.core.feature.UnreadableRows;
import gambit.core.limit.SharedBudget;
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
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The verified chess events that were answered, so that the same event again has no second effect
 * and gets the first answer. Owned by the chess lane.
 *
 * <p>An event is remembered for as long as it is fresh enough to be sent again, also after a
 * restart: events that are not stored have a row of the store. If too many are remembered, no
 * further search begins ({@link #isFull}, {@link #countSearch}). Refusals without an effect are
 * remembered separately, each with a row, and the oldest are dropped.
 */
public final class SeenEvents {
  private static final int MAX_EFFECTS = 200_000;
  private static final int MAX_REFUSALS = 50_000;

  /** The maximum of events under way in the relay. */
  private static final int MAX_STORED = 20_000;

  private static final EarlierAnswer ACCEPTED = new EarlierAnswer(Optional.empty(), null);

  /** The maximum of obsolete rows that are removed with each new one. */
  private static final int MAX_REMOVED_ROWS = 4;

  /**
   * The answer to an event.
   *
   * @param refusal empty if it was accepted
   * @param search of an accepted connect: the colour notifications of the search or game that it
   *     has led to; else null
   */
  public record EarlierAnswer(Optional<Reason> refusal, @Nullable ColourNotifications search) {}

  /** A refusal without an effect; {@code until} it is obsolete, in epoch milliseconds. */
  private record RememberedRefusal(EarlierAnswer answer, long until) {}

  /** A row; {@code until} it is obsolete, in epoch milliseconds. */
  private record KeptRow(EventId id, long until) {}

  /** A request that counts in the owners' shares {@code until} a time in epoch milliseconds. */
  private record CountedSearch(Set<?> owners, long until) {}

  private final Cache<EventId, EarlierAnswer> answers;
  private final Map<EventId, EarlierAnswer> stored = latest(MAX_STORED);

  /** The times at which events become obsolete, oldest first. */
  private final Map<EventId, Long> commands = new LinkedHashMap<>();

  private final Map<EventId, RememberedRefusal> refusals = new LinkedHashMap<>(); // oldest first
  private final Map<EventId, EarlierAnswer> unbound = latest(MAX_REFUSALS);
  private final Deque<KeptRow> keptRows = new ArrayDeque<>(); // oldest first
  private final SharedBudget searches = new SharedBudget(MAX_EFFECTS);
  private final Deque<CountedSearch> countedSearches = new ArrayDeque<>(); // oldest first
  private final InstantSource time;
  private final Duration maxClockSkew;
  private final Duration memory;

  public SeenEvents(Duration maxClockSkew, InstantSource time) {
    this.time = time;
    this.maxClockSkew = maxClockSkew;
    this.memory = maxClockSkew.multipliedBy(2).plusSeconds(1);
    this.answers =
        Caffeine.newBuilder()
            .expireAfterWrite(memory)
            .ticker(() -> TimeUnit.MILLISECONDS.toNanos(time.millis()))
            .executor(Runnable::run)
            .build();
  }

  private static Map<EventId, EarlierAnswer> latest(int max) {
    return new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<EventId, EarlierAnswer> eldest) {
        return size() > max;
      }
    };
  }

  /** The answer to an event, if it was seen. */
  public Optional<EarlierAnswer> of(EventId id) {
    return Optional.ofNullable(answers.getIfPresent(id))
        .or(() -> Optional.ofNullable(stored.get(id)))
        .or(() -> Optional.ofNullable(commands.get(id)).map(until -> ACCEPTED))
        .or(() -> Optional.ofNullable(refusals.get(id)).flatMap(this::unlessObsolete));
  }

  private Optional<EarlierAnswer> unlessObsolete(RememberedRefusal refusal) {
    return time.millis() < refusal.until() ? Optional.of(refusal.answer()) : Optional.empty();
  }

  /** As {@link #of}, for an event over a connection that is not bound to its author. */
  public Optional<EarlierAnswer> ofUnbound(EventId id) {
    return of(id).or(() -> Optional.ofNullable(unbound.get(id)));
  }

  /** Whether so many events are remembered that no further search may begin. */
  public boolean isFull() {
    if (answers.estimatedSize() >= MAX_EFFECTS) {
      answers.cleanUp();
    }
    return answers.estimatedSize() >= MAX_EFFECTS;
  }

  /**
   * Counts a request for a search, an invite or the like for as long as its event is remembered.
   *
   * @param owners the player, and the address and keys of the connection
   * @return false, without effect, if one of them has its share of the requests
   */
  public boolean countSearch(Set<?> owners) {
    long now = time.millis();
    while (!countedSearches.isEmpty() && countedSearches.peekFirst().until() <= now) {
      searches.release(countedSearches.removeFirst().owners(), 1);
    }
    if (!searches.reserve(owners, 1)) {
      return false;
    }
    countedSearches.addLast(new CountedSearch(owners, now + memory.toMillis()));
    return true;
  }

  /** Remembers an event that has had an effect. */
  public void accepted(EventId id, @Nullable ColourNotifications search) {
    answers.put(id, search == null ? ACCEPTED : new EarlierAnswer(Optional.empty(), search));
  }

  /**
   * Remembers a stored event. The store refuses it from now on; this covers the copies that had
   * arrived before.
   */
  public void stored(EventId id) {
    stored.put(id, ACCEPTED);
  }

  /**
   * Remembers an event that has had an effect on a game and is not stored. Their number is bounded
   * by the commits that fit into the time in which an event is fresh, so they do not count for
   * {@link #isFull}.
   */
  public void commanded(EventId id) {
    long now = time.millis();
    Iterator<Long> oldest = commands.values().iterator();
    for (int i = 0; i < MAX_REMOVED_ROWS && oldest.hasNext() && oldest.next() <= now; i++) {
      oldest.remove();
    }
    commands.put(id, now + memory.toMillis());
  }

  /** Remembers a refusal that was counted against the player; a game has at most two. */
  public void counted(EventId id, Reason reason) {
    answers.put(id, new EarlierAnswer(Optional.of(reason), null));
  }

  /**
   * Remembers a refusal without an effect.
   *
   * @param createdAt the event's time in seconds, which may be in the future
   * @param reason null if the refusal was not in the OK, which was true
   * @return the rows to commit before the answer is sent: the new one, and removals of obsolete
   *     ones; empty if the event is not fresh any more
   */
  public List<Row> refused(EventId id, long createdAt, @Nullable Reason reason) {
    long now = time.millis();
    if (createdAt + maxClockSkew.toSeconds() < now / 1000) {
      return List.of();
    }
    List<Row> rows = new ArrayList<>();
    Iterator<Map.Entry<EventId, RememberedRefusal>> oldest = refusals.entrySet().iterator();
    while (rows.size() < MAX_REMOVED_ROWS && oldest.hasNext()) {
      Map.Entry<EventId, RememberedRefusal> entry = oldest.next();
      boolean isOverMax = refusals.size() >= MAX_REFUSALS;
      if (!isOverMax && now < entry.getValue().until()) {
        break;
      }
      rows.add(SeenRows.removal(entry.getKey()));
      oldest.remove();
    }
    long until = Math.max(now, createdAt * 1000) + memory.toMillis();
    refusals.put(
        id, new RememberedRefusal(new EarlierAnswer(Optional.ofNullable(reason), null), until));
    rows.add(
        SeenRows.row(new SeenRows.SeenEvent(id, until, Effect.NONE, Optional.ofNullable(reason))));
    return rows;
  }

  /**
   * Remembers a refusal that was not in the OK, over a connection that is not bound to the author.
   * The event is refused again over such connections, so that nobody can replay it in another game.
   * It still has an effect over the author's own, so that nobody can use it up by sending it first.
   */
  public void refusedUnbound(EventId id) {
    unbound.put(id, ACCEPTED);
  }

  /**
   * The rows to commit with the effect of an event that is not stored: the new one, and removals of
   * obsolete ones.
   *
   * @param refusal the reason, if the event is counted against the player; else null
   * @param isSearch whether the event is a connect
   */
  public List<Row> rows(EventId id, @Nullable Reason refusal, boolean isSearch) {
    long now = time.millis();
    List<Row> rows = new ArrayList<>();
    for (int i = 0;
        i < MAX_REMOVED_ROWS && !keptRows.isEmpty() && keptRows.peekFirst().until() <= now;
        i++) {
      rows.add(SeenRows.removal(keptRows.removeFirst().id()));
    }
    long until = now + memory.toMillis();
    keptRows.addLast(new KeptRow(id, until));
    rows.add(
        SeenRows.row(
            new SeenRows.SeenEvent(
                id,
                until,
                isSearch ? Effect.SEARCH : Effect.COMMAND,
                Optional.ofNullable(refusal))));
    return rows;
  }

  /**
   * Restores the events that were remembered before a restart.
   *
   * @param rows by their key, in hex
   * @throws UnreadableRows if one cannot be read
   */
  public void recover(Map<String, byte[]> rows) {
    List<KeptRow> all = new ArrayList<>(rows.size());
    List<Map.Entry<EventId, RememberedRefusal>> refused = new ArrayList<>();
    rows.forEach(
        (key, value) -> {
          SeenRows.SeenEvent row = SeenRows.read(key, value);
          ColourNotifications search =
              row.effect() == Effect.SEARCH ? new ColourNotifications() : null;
          EarlierAnswer answer = new EarlierAnswer(row.refusal(), search);
          if (row.effect() == Effect.NONE) {
            refused.add(Map.entry(row.id(), new RememberedRefusal(answer, row.until())));
          } else {
            all.add(new KeptRow(row.id(), row.until()));
            answers.put(row.id(), answer);
          }
        });
    refused.sort(Comparator.comparingLong(entry -> entry.getValue().until()));
    refused.forEach(entry -> refusals.put(entry.getKey(), entry.getValue()));
    all.sort((a, b) -> Long.compare(a.until(), b.until()));
    keptRows.addAll(all);
  }
}
