package gambit.chess.session.play;

import gambit.core.feature.Row;
import gambit.core.limit.SharedBudget;
import gambit.core.model.EventId;
import gambit.core.wire.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The verified chess events that were answered, so that the same event again has no second effect
 * and gets the first answer. Owned by the chess lane.
 *
 * <p>An event is remembered for as long as it is fresh enough to be sent again, also after a
 * restart: events that are not stored have a row. The requests that begin searches, invites and
 * games are counted ({@link #countSearch}), and commands are bounded by the commits that fit into
 * that time. Refusals without an effect are remembered separately, each with a row, and the oldest
 * are dropped.
 */
public final class SeenEvents {
  public static final String TABLE = "chess.seen";

  private static final int MAX_SEARCHES = 200_000;
  private static final int MAX_REFUSALS = 50_000;

  /** The maximum of events under way in the relay. */
  private static final int MAX_STORED = 20_000;

  /** The maximum of obsolete events that are removed with each new one. */
  private static final int MAX_REMOVED = 4;

  /** The effects of events, as their rows have them. */
  private static final byte COMMAND = 0;

  private static final byte SEARCH = 1;
  private static final byte NONE = 2;

  private static final EarlierAnswer ACCEPTED = new EarlierAnswer(Optional.empty(), null);

  /**
   * The answer to an event.
   *
   * @param refusal empty if it was accepted, or if the refusal was not in its OK
   * @param search of an accepted connect: the colour notifications of the search or game that it
   *     has led to; else null
   */
  public record EarlierAnswer(Optional<Reason> refusal, @Nullable ColourNotifications search) {}

  /** An answer that is obsolete from a time in epoch milliseconds. */
  private record Remembered(EarlierAnswer answer, long until) {}

  private record SeenRow(EventId id, byte effect, Remembered remembered) {}

  /** A request that counts in the owners' shares until a time in epoch milliseconds. */
  private record CountedSearch(Set<?> owners, long until) {}

  private final Map<EventId, Remembered> effects = new LinkedHashMap<>(); // oldest first
  private final Map<EventId, Remembered> refusals = new LinkedHashMap<>(); // oldest first
  private final Set<EventId> stored = new LinkedHashSet<>(); // oldest first
  private final Set<EventId> unbound = new LinkedHashSet<>(); // oldest first
  private final SharedBudget searches = new SharedBudget(MAX_SEARCHES);
  private final Deque<CountedSearch> countedSearches = new ArrayDeque<>(); // oldest first
  private final InstantSource time;
  private final Duration maxClockSkew;
  private final long memory;

  public SeenEvents(Duration maxClockSkew, InstantSource time) {
    this.time = time;
    this.maxClockSkew = maxClockSkew;
    this.memory = maxClockSkew.multipliedBy(2).plusSeconds(1).toMillis();
  }

  public Optional<EarlierAnswer> of(EventId id) {
    Remembered known = effects.containsKey(id) ? effects.get(id) : refusals.get(id);
    if (known != null && time.millis() < known.until()) {
      return Optional.of(known.answer());
    }
    return stored.contains(id) ? Optional.of(ACCEPTED) : Optional.empty();
  }

  /** As {@link #of}, for an event over a connection that is not bound to its author. */
  public Optional<EarlierAnswer> ofUnbound(EventId id) {
    return of(id).or(() -> unbound.contains(id) ? Optional.of(ACCEPTED) : Optional.empty());
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
    return count(owners, now + memory);
  }

  private boolean count(Set<?> owners, long until) {
    boolean fits = searches.reserve(owners, 1);
    if (fits) {
      countedSearches.addLast(new CountedSearch(owners, until));
    }
    return fits;
  }

  /** Remembers an event that has had an effect, and whose {@link #rows} are committed. */
  public void accepted(EventId id, @Nullable ColourNotifications search) {
    remember(id, search == null ? ACCEPTED : new EarlierAnswer(Optional.empty(), search));
  }

  /** Remembers a refusal that was counted against the player; a game has at most two. */
  public void counted(EventId id, Reason reason) {
    remember(id, new EarlierAnswer(Optional.of(reason), null));
  }

  private void remember(EventId id, EarlierAnswer answer) {
    effects.remove(id); // it becomes the newest one
    effects.put(id, new Remembered(answer, time.millis() + memory));
  }

  /**
   * Remembers a stored event. The store refuses it from now on; this covers the copies that had
   * arrived before.
   */
  public void stored(EventId id) {
    add(stored, id, MAX_STORED);
  }

  private static void add(Set<EventId> recent, EventId id, int max) {
    if (recent.add(id) && recent.size() > max) {
      recent.remove(recent.iterator().next());
    }
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
    List<Row> rows = removeObsolete(refusals, MAX_REFUSALS);
    long until = Math.max(now, createdAt * 1000) + memory;
    refusals.put(id, new Remembered(new EarlierAnswer(Optional.ofNullable(reason), null), until));
    rows.add(row(id, until, NONE, reason));
    return rows;
  }

  /**
   * Remembers a refusal that was not in the OK, over a connection that is not bound to the author.
   * The event is refused again over such connections, so that nobody can replay it in another game.
   * It still has an effect over the author's own, so that nobody can use it up by sending it first.
   */
  public void refusedUnbound(EventId id) {
    add(unbound, id, MAX_REFUSALS);
  }

  /**
   * The rows to commit with the effect of an event that is not stored: the new one, and removals of
   * obsolete ones.
   *
   * @param refusal the reason, if the event is counted against the player; else null
   * @param isSearch whether the event is a connect
   */
  public List<Row> rows(EventId id, @Nullable Reason refusal, boolean isSearch) {
    List<Row> rows = removeObsolete(effects, Integer.MAX_VALUE);
    rows.add(row(id, time.millis() + memory, isSearch ? SEARCH : COMMAND, refusal));
    return rows;
  }

  /**
   * Forgets some of the events that are obsolete or too many; returns the removals of their rows.
   */
  private List<Row> removeObsolete(Map<EventId, Remembered> known, int max) {
    List<Row> removals = new ArrayList<>();
    Iterator<Map.Entry<EventId, Remembered>> oldest = known.entrySet().iterator();
    while (removals.size() < MAX_REMOVED && oldest.hasNext()) {
      Map.Entry<EventId, Remembered> entry = oldest.next();
      if (known.size() < max && time.millis() < entry.getValue().until()) {
        break;
      }
      removals.add(new Row(TABLE, entry.getKey().bytes(), null));
      oldest.remove();
    }
    return removals;
  }

  private static Row row(EventId id, long until, byte effect, @Nullable Reason refusal) {
    byte[] text = (refusal == null ? "" : refusal.toString()).getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(Long.BYTES + 2 + text.length);
    out.put(RowCodes.FORMAT).putLong(until).put(effect).put(text);
    return new Row(TABLE, id.bytes(), out.array());
  }

  /**
   * Restores the events that were remembered before a restart. Their searches count in the maximum,
   * but in nobody's share.
   */
  public void recover(Map<String, byte[]> rows) {
    List<SeenRow> all = new ArrayList<>(rows.size());
    rows.forEach(
        (key, value) ->
            all.add(RowCodes.read("event", key, value, in -> read(EventId.ofHex(key), in))));
    all.sort(Comparator.comparingLong(row -> row.remembered().until()));
    for (SeenRow row : all) {
      if (row.effect() == NONE) {
        refusals.put(row.id(), row.remembered());
      } else {
        effects.put(row.id(), row.remembered());
        if (row.effect() == SEARCH) {
          count(Set.of(), row.remembered().until());
        }
      }
    }
  }

  private static SeenRow read(EventId id, ByteBuffer in) {
    long until = in.getLong();
    byte effect = in.get();
    String text = StandardCharsets.UTF_8.decode(in).toString();
    Optional<Reason> refusal = text.isEmpty() ? Optional.empty() : Optional.of(reason(text));
    ColourNotifications search = effect == SEARCH ? new ColourNotifications() : null;
    return new SeenRow(id, effect, new Remembered(new EarlierAnswer(refusal, search), until));
  }

  private static Reason reason(String text) {
    int colon = text.indexOf(": ");
    String prefix = text.substring(0, colon).toUpperCase(Locale.ROOT).replace('-', '_');
    return new Reason(Reason.Prefix.valueOf(prefix), text.substring(colon + 2));
  }
}
