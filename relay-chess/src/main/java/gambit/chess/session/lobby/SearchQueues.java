package gambit.chess.session.lobby;

import gambit.chess.dialect.OpenLobby;
import gambit.chess.game.PairingQueue;
import gambit.chess.game.PairingQueue.Pair;
import gambit.chess.game.TimeControl;
import gambit.chess.session.runtime.ColourNotifications;
import gambit.core.model.PubKey;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The players who search for an opponent: a queue for each time control, and the {@code connect}
 * events of each player. Bounded by the connections, since a player leaves the queue with the last
 * one. Owned by the chess lane.
 */
public final class SearchQueues {
  /** A player who was paired, and the events to be answered with the colour. */
  public record Paired(PubKey player, ColourNotifications colourNotifications) {}

  /** A player's search. */
  public record Search(TimeControl time, ColourNotifications colourNotifications) {}

  private final Map<TimeControl, PairingQueue<PubKey>> queues = new LinkedHashMap<>();
  private final Map<PubKey, Search> searches = new HashMap<>();
  private long changes;

  /** Adds a player who does not search yet at the end of a queue. */
  public void add(PubKey player, Search search) {
    changes++;
    searches.put(player, search);
    queue(search.time()).add(player);
  }

  /** Adds a player at the front of a queue, not to be paired with one opponent before a time. */
  public void addFirst(PubKey player, Search search, PubKey notWith, long until) {
    remove(player);
    changes++;
    searches.put(player, search);
    queue(search.time()).addFirst(player, notWith, until);
  }

  private PairingQueue<PubKey> queue(TimeControl time) {
    return queues.computeIfAbsent(time, t -> new PairingQueue<>());
  }

  /** Removes a player from its queue; returns the search, or null if there was none. */
  public @Nullable Search remove(PubKey player) {
    Search search = searches.remove(player);
    if (search != null) {
      changes++;
      PairingQueue<PubKey> queue = queue(search.time());
      queue.remove(player);
      dropIfEmpty(search.time(), queue);
    }
    return search;
  }

  private void dropIfEmpty(TimeControl time, PairingQueue<PubKey> queue) {
    if (queue.size() == 0) {
      queues.remove(time);
    }
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

  /**
   * The queues with the most players, which come first.
   *
   * @param max the maximum of queues
   */
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
  public @Nullable ColourNotifications colourNotificationsOf(PubKey player) {
    Search search = searches.get(player);
    return search == null ? null : search.colourNotifications();
  }

  /** The players of a queue: between two pairings hardly any ({@link PairingQueue}). */
  List<PubKey> players(TimeControl time) {
    PairingQueue<PubKey> queue = queues.get(time);
    return queue == null ? List.of() : queue.players();
  }

  /** Removes the first two players of a queue who may be paired, if there are two. */
  public Optional<Pair<Paired>> pair(TimeControl time, long now) {
    PairingQueue<PubKey> queue = queues.get(time);
    if (queue == null) {
      return Optional.empty();
    }
    Optional<Pair<PubKey>> pair = queue.pair(now);
    dropIfEmpty(time, queue);
    return pair.map(it -> new Pair<>(paired(it.first()), paired(it.second())));
  }

  private Paired paired(PubKey player) {
    changes++;
    return new Paired(
        player, Objects.requireNonNull(searches.remove(player)).colourNotifications());
  }

  /** As {@link PairingQueue#nextRetry}. */
  public OptionalLong nextRetry(TimeControl time, long now) {
    PairingQueue<PubKey> queue = queues.get(time);
    return queue == null ? OptionalLong.empty() : queue.nextRetry(now);
  }
}
