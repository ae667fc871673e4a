package gambit.chess.game;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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

  /**
   * Two players of a queue who are paired; their colours are not decided yet.
   *
   * @param first the player who was ahead in the queue
   */
  public record Pair<P>(P first, P second) {}

  private final Map<P, Node<P>> nodes = new HashMap<>();
  private @Nullable Node<P> head;
  private @Nullable Node<P> tail;

  /** A player in the queue; a node of a doubly linked list. */
  private static final class Node<P> {
    final P player;
    final @Nullable P notWith;
    final long until;
    @Nullable Node<P> previous;
    @Nullable Node<P> next;

    Node(P player, @Nullable P notWith, long until) {
      this.player = player;
      this.notWith = notWith;
      this.until = until;
    }

    /**
     * The time from which the two may be paired; {@link Long#MIN_VALUE} if neither avoids the
     * other.
     */
    long mayMeetAt(Node<P> other) {
      return Math.max(avoidsUntil(other), other.avoidsUntil(this));
    }

    private long avoidsUntil(Node<P> other) {
      return other.player.equals(notWith) ? until : Long.MIN_VALUE;
    }
  }

  /**
   * Adds a player at the end of the queue.
   *
   * @return false if the player is in the queue already; the place is kept then
   */
  public boolean add(P player) {
    if (nodes.containsKey(player)) {
      return false;
    }
    Node<P> node = new Node<>(player, null, Long.MIN_VALUE);
    nodes.put(player, node);
    node.previous = tail;
    if (tail == null) {
      head = node;
    } else {
      tail.next = node;
    }
    tail = node;
    return true;
  }

  /**
   * Adds a player at the front of the queue, or moves it there.
   *
   * @param notWith the opponent to avoid before {@code until}; forgotten when the player is removed
   */
  public void addFirst(P player, P notWith, long until) {
    remove(player);
    Node<P> node = new Node<>(player, notWith, until);
    nodes.put(player, node);
    node.next = head;
    if (head == null) {
      tail = node;
    } else {
      head.previous = node;
    }
    head = node;
  }

  /** Removes a player; false if it was not in the queue. */
  public boolean remove(P player) {
    Node<P> node = nodes.remove(player);
    if (node == null) {
      return false;
    }
    Node<P> previous = node.previous;
    Node<P> next = node.next;
    if (previous == null) {
      head = next;
    } else {
      previous.next = next;
    }
    if (next == null) {
      tail = previous;
    } else {
      next.previous = previous;
    }
    return true;
  }

  /** The players in order. */
  public List<P> players() {
    List<P> players = new ArrayList<>(nodes.size());
    for (Node<P> node = head; node != null; node = node.next) {
      players.add(node.player);
    }
    return players;
  }

  public boolean contains(P player) {
    return nodes.containsKey(player);
  }

  public int size() {
    return nodes.size();
  }

  /** Removes the first two players who may be paired at {@code now}, if there are two. */
  public Optional<Pair<P>> pair(long now) {
    for (Node<P> one = head; one != null; one = one.next) {
      for (Node<P> two = one.next; two != null; two = two.next) {
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
    for (Node<P> one = head; one != null; one = one.next) {
      for (Node<P> two = one.next; two != null; two = two.next) {
        earliest = Math.min(earliest, one.mayMeetAt(two));
        if (earliest <= now) {
          return OptionalLong.of(now);
        }
      }
    }
    return size() < 2 ? OptionalLong.empty() : OptionalLong.of(earliest);
  }
}
