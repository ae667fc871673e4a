package gambit.chess.session.lobby;

import gambit.chess.dialect.OpenLobby;
import gambit.chess.game.TimeControl;
import gambit.chess.session.play.Games;
import gambit.chess.session.runtime.ColourNotifications;
import gambit.core.model.PubKey;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The players who search for an opponent: a queue for each time control, in the order in which
 * players are paired. Bounded by the connections, since a player leaves the queue with the last
 * one. Owned by the chess lane.
 *
 * <p>A player added by {@link #addFirst} avoids one opponent for a while. A caller who pairs until
 * nobody is left to pair leaves at most three players in a queue: each avoids at most one other,
 * which cannot keep four players apart. So no two players wait who may be paired, and a pairing
 * costs O(1).
 */
public final class SearchQueues {
  /**
   * A player's search.
   *
   * @param colourNotifications of the {@code connect} events that have led to it
   * @param notWith the opponent to avoid before {@code until}, in epoch milliseconds, or null
   */
  public record Search(
      PubKey player,
      TimeControl time,
      ColourNotifications colourNotifications,
      @Nullable PubKey notWith,
      long until) {

    /** A search that avoids nobody. */
    public Search(PubKey player, TimeControl time, ColourNotifications colourNotifications) {
      this(player, time, colourNotifications, null, Long.MIN_VALUE);
    }

    Games.Entrant entrant() {
      return new Games.Entrant(player, colourNotifications, 0);
    }
  }

  /**
   * Two searches that are paired; the players' colours are not decided yet.
   *
   * @param first the one that was ahead in the queue
   */
  public record Pair(Search first, Search second) {
    /**
     * The time from which the two may be paired; {@link Long#MIN_VALUE} if neither avoids the
     * other.
     */
    private long mayMeetAt() {
      return Math.max(
          second.player.equals(first.notWith) ? first.until : Long.MIN_VALUE,
          first.player.equals(second.notWith) ? second.until : Long.MIN_VALUE);
    }
  }

  private final Map<TimeControl, Map<PubKey, Search>> queues = new LinkedHashMap<>();
  private final Map<PubKey, Search> searches = new HashMap<>();
  private long changes;

  /** Adds a player who does not search yet at the end of a queue. */
  public void add(Search search) {
    changes++;
    searches.put(search.player(), search);
    queues
        .computeIfAbsent(search.time(), time -> new LinkedHashMap<>())
        .put(search.player(), search);
  }

  /** Adds a player at the front of a queue, or moves the player there. */
  void addFirst(Search search) {
    remove(search.player());
    List<Search> others = List.copyOf(queue(search.time()).values());
    others.forEach(other -> remove(other.player()));
    add(search);
    others.forEach(this::add);
  }

  private Map<PubKey, Search> queue(TimeControl time) {
    return queues.getOrDefault(time, Map.of());
  }

  /** Removes a player from the queue; returns the search, or null if there was none. */
  @Nullable Search remove(PubKey player) {
    Search search = searches.remove(player);
    if (search != null) {
      changes++;
      Map<PubKey, Search> queue = queue(search.time());
      queue.remove(player);
      if (queue.isEmpty()) {
        queues.remove(search.time());
      }
    }
    return search;
  }

  public boolean contains(PubKey player) {
    return searches.containsKey(player);
  }

  public int size() {
    return searches.size();
  }

  /** A number that grows with every change. */
  long changes() {
    return changes;
  }

  /** The queues with the most players, which come first. */
  List<OpenLobby.Waiting> longest(int max) {
    return queues.entrySet().stream()
        .map(queue -> new OpenLobby.Waiting(queue.getKey(), queue.getValue().size()))
        .sorted(
            Comparator.comparingInt(OpenLobby.Waiting::players)
                .reversed()
                .thenComparing(waiting -> waiting.time().text()))
        .limit(max)
        .toList();
  }

  /** The events of a player's search, or null when the player does not search. */
  @Nullable ColourNotifications colourNotificationsOf(PubKey player) {
    Search search = searches.get(player);
    return search == null ? null : search.colourNotifications();
  }

  /** The players of a queue: between two pairings hardly any. */
  List<PubKey> players(TimeControl time) {
    return List.copyOf(queue(time).keySet());
  }

  /** Removes the first two players of a queue who may be paired, if there are two. */
  public Optional<Pair> pair(TimeControl time, long now) {
    Optional<Pair> pair = pairs(time).filter(it -> it.mayMeetAt() <= now).findFirst();
    pair.ifPresent(it -> remove(it.first().player()));
    pair.ifPresent(it -> remove(it.second().player()));
    return pair;
  }

  /**
   * The time from which {@link #pair} succeeds without another player: the end of an avoidance, or
   * {@code now}. Empty if there are fewer than two players.
   */
  OptionalLong nextRetry(TimeControl time, long now) {
    return pairs(time).mapToLong(it -> Math.max(it.mayMeetAt(), now)).min();
  }

  /** The pairs of a queue's players, in the order in which they are considered. */
  private Stream<Pair> pairs(TimeControl time) {
    Collection<Search> queue = queue(time).values();
    return queue.stream()
        .flatMap(
            first ->
                queue.stream()
                    .dropWhile(it -> !it.equals(first))
                    .skip(1)
                    .map(second -> new Pair(first, second)));
  }
}
