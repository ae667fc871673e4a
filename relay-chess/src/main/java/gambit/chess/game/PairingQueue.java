package gambit.chess.game;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The players who search for an opponent with one time control, in the order in which they are
 * paired. Times are epoch milliseconds. Owned by one thread, the chess lane. A player is in it at
 * most once; it has no other bound.
 *
 * <p>A player added by {@link #addFirst} avoids one opponent for a while. A caller who pairs until
 * nobody is left to pair leaves at most three players waiting: each avoids at most one other, which
 * cannot keep four players apart. So no two players wait who may be paired, and a pairing costs
 * O(1) plus the avoidances that are skipped.
 *
 * @param <P> identifies a player, by {@code equals}
 */
public final class PairingQueue<P> {

  /**
   * Two players of a queue who are paired; their colours are not decided yet.
   *
   * @param first the player who was ahead in the queue
   */
  public record Pair<P>(P first, P second) {}

  private final Map<P, Avoided<P>> players = new LinkedHashMap<>(); // in order

  /** The opponent whom a player avoids until a time; null for nobody. */
  private record Avoided<P>(@Nullable P player, long until) {
    private long until(P other) {
      return other.equals(player) ? until : Long.MIN_VALUE;
    }
  }

  /**
   * Adds a player at the end of the queue.
   *
   * @return false if the player is in the queue already; the place is kept then
   */
  public boolean add(P player) {
    return players.putIfAbsent(player, new Avoided<>(null, Long.MIN_VALUE)) == null;
  }

  /**
   * Adds a player at the front of the queue, or moves it there.
   *
   * @param notWith the opponent to avoid before {@code until}; forgotten when the player is removed
   */
  public void addFirst(P player, P notWith, long until) {
    players.remove(player);
    Map<P, Avoided<P>> others = new LinkedHashMap<>(players);
    players.clear();
    players.put(player, new Avoided<>(notWith, until));
    players.putAll(others);
  }

  /** Removes a player; false if it was not in the queue. */
  public boolean remove(P player) {
    return players.remove(player) != null;
  }

  /** The players in order. */
  public List<P> players() {
    return List.copyOf(players.keySet());
  }

  public boolean contains(P player) {
    return players.containsKey(player);
  }

  public int size() {
    return players.size();
  }

  /** Removes the first two players who may be paired at {@code now}, if there are two. */
  public Optional<Pair<P>> pair(long now) {
    int place = 0;
    for (P one : players.keySet()) {
      place++;
      for (Iterator<P> others = after(place); others.hasNext(); ) {
        P two = others.next();
        if (mayMeetAt(one, two) <= now) {
          players.remove(one);
          players.remove(two);
          return Optional.of(new Pair<>(one, two));
        }
      }
    }
    return Optional.empty();
  }

  private Iterator<P> after(int place) {
    return players.keySet().stream().skip(place).iterator();
  }

  /** The time from which two may be paired; {@link Long#MIN_VALUE} if neither avoids the other. */
  private long mayMeetAt(P one, P two) {
    return Math.max(
        Objects.requireNonNull(players.get(one)).until(two),
        Objects.requireNonNull(players.get(two)).until(one));
  }

  /**
   * The time from which {@link #pair} succeeds without another player: the end of an avoidance, or
   * {@code now}. Empty if there are fewer than two players.
   */
  public OptionalLong nextRetry(long now) {
    long earliest = Long.MAX_VALUE;
    int place = 0;
    for (P one : players.keySet()) {
      place++;
      for (Iterator<P> others = after(place); others.hasNext(); ) {
        earliest = Math.min(earliest, mayMeetAt(one, others.next()));
      }
    }
    return size() < 2 ? OptionalLong.empty() : OptionalLong.of(Math.max(earliest, now));
  }
}
