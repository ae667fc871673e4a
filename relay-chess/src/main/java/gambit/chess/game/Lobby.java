package gambit.chess.game;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Who searches for an opponent, in the order in which they are served.
 *
 * <p>Mutable; one owning thread, the chess lane. Times are epoch milliseconds. One lobby holds
 * those who may all meet, that is of one time control. No bound of its own: a player stands in it
 * once.
 *
 * <p>A player put back by {@link #searchFirst} avoids one opponent for a while. Whoever takes pairs
 * until there are none leaves at most three players waiting: each avoids at most one other, and
 * among four that is not enough to keep all apart. So a pairing is O(1) plus the avoidances stepped
 * over, and no two wait who may meet.
 *
 * @param <P> identifies a player, by {@code equals}
 */
public final class Lobby<P> {

  private final Map<P, Place<P>> places = new HashMap<>();
  private @Nullable Place<P> head;
  private @Nullable Place<P> tail;

  /** A player in the queue, a link of a list in both directions. */
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

    /** When the two may meet: a time, or {@link Long#MIN_VALUE} if nothing keeps them apart. */
    long mayMeet(Place<P> other) {
      return Math.max(avoids(other), other.avoids(this));
    }

    private long avoids(Place<P> other) {
      return other.player.equals(notWith) ? until : Long.MIN_VALUE;
    }
  }

  /**
   * Puts a player at the end of the queue.
   *
   * @return false if the player searches already; the place is kept then
   */
  public boolean search(P player) {
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
   * Puts a player at the front of the queue, from wherever it was.
   *
   * @param notWith whom it does not meet before {@code until}; forgotten when it leaves the queue
   */
  public void searchFirst(P player, P notWith, long until) {
    leave(player);
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

  /** Takes a player out of the queue; false if it was not in it. */
  public boolean leave(P player) {
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

  public boolean isSearching(P player) {
    return places.containsKey(player);
  }

  public int size() {
    return places.size();
  }

  /** Takes the first two who may meet at {@code now} out of the queue, if there are two. */
  public Optional<Pair<P>> pair(long now) {
    for (Place<P> one = head; one != null; one = one.behind) {
      for (Place<P> two = one.behind; two != null; two = two.behind) {
        if (one.mayMeet(two) <= now) {
          leave(one.player);
          leave(two.player);
          return Optional.of(new Pair<>(one.player, two.player));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * When {@link #pair} will find two, although nobody else comes: when an avoidance ends, or {@code
   * now} if it would find them at once. Empty if it takes more players.
   */
  public OptionalLong nextRetry(long now) {
    long earliest = Long.MAX_VALUE;
    for (Place<P> one = head; one != null; one = one.behind) {
      for (Place<P> two = one.behind; two != null; two = two.behind) {
        earliest = Math.min(earliest, one.mayMeet(two));
        if (earliest <= now) {
          return OptionalLong.of(now);
        }
      }
    }
    return size() < 2 ? OptionalLong.empty() : OptionalLong.of(earliest);
  }
}
