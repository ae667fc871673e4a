package gambit.chess.game;

import java.util.HashMap;
import java.util.Map;
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

  private final Map<P, Place<P>> places = new HashMap<>();
  private @Nullable Place<P> head;
  private @Nullable Place<P> tail;

  /** A player in the queue; a node of a doubly linked list. */
  private static final class Place<P> {
    final P player;
    final @Nullable P notWith;
    final long until;
    @Nullable Place<P> ahead;
    @Nullable Place<P> behind;

    Place(P player, @Nullable P notWith, long until) {
      this.player = player;
      this.notWith = notWith;
      this.until = until;
    }

    /**
     * The time from which the two may be paired; {@link Long#MIN_VALUE} if neither avoids the
     * other.
     */
    long mayMeetAt(Place<P> other) {
      return Math.max(avoidsUntil(other), other.avoidsUntil(this));
    }

    private long avoidsUntil(Place<P> other) {
      return other.player.equals(notWith) ? until : Long.MIN_VALUE;
    }
  }

  /**
   * Adds a player at the end of the queue.
   *
   * @return false if the player is in the queue already; the place is kept then
   */
  public boolean add(P player) {
    if (places.containsKey(player)) {
      return false;
    }
    Place<P> place = new Place<>(player, null, Long.MIN_VALUE);
    places.put(player, place);
    place.ahead = tail;
    if (tail == null) {
      head = place;
    } else {
      tail.behind = place;
    }
    tail = place;
    return true;
  }

  /**
   * Adds a player at the front of the queue, or moves it there.
   *
   * @param notWith the opponent to avoid before {@code until}; forgotten when the player is removed
   */
  public void addFirst(P player, P notWith, long until) {
    remove(player);
    Place<P> place = new Place<>(player, notWith, until);
    places.put(player, place);
    place.behind = head;
    if (head == null) {
      tail = place;
    } else {
      head.ahead = place;
    }
    head = place;
  }

  /** Removes a player; false if it was not in the queue. */
  public boolean remove(P player) {
    Place<P> place = places.remove(player);
    if (place == null) {
      return false;
    }
    Place<P> ahead = place.ahead;
    Place<P> behind = place.behind;
    if (ahead == null) {
      head = behind;
    } else {
      ahead.behind = behind;
    }
    if (behind == null) {
      tail = ahead;
    } else {
      behind.ahead = ahead;
    }
    return true;
  }

  public boolean contains(P player) {
    return places.containsKey(player);
  }

  public int size() {
    return places.size();
  }

  /** Removes the first two players who may be paired at {@code now}, if there are two. */
  public Optional<Pair<P>> pair(long now) {
    for (Place<P> one = head; one != null; one = one.behind) {
      for (Place<P> two = one.behind; two != null; two = two.behind) {
        if (one.mayMeetAt(two) <= now) {
          remove(one.player);
          remove(two.player);
          return Optional.of(new Pair<>(one.player, two.player));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * The time from which {@link #pair} succeeds without another player: the end of an avoidance, or
   * {@code now}. Empty if there are fewer than two players.
   */
  public OptionalLong nextRetry(long now) {
    long earliest = Long.MAX_VALUE;
    for (Place<P> one = head; one != null; one = one.behind) {
      for (Place<P> two = one.behind; two != null; two = two.behind) {
        earliest = Math.min(earliest, one.mayMeetAt(two));
        if (earliest <= now) {
          return OptionalLong.of(now);
        }
      }
    }
    return size() < 2 ? OptionalLong.empty() : OptionalLong.of(earliest);
  }
}
