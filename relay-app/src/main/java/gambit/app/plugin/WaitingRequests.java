package gambit.app.plugin;

import gambit.core.feature.ClientConnection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The requests that wait to be sent: a queue for each connection. The connections take turns, so
 * one with many requests delays only its own. Guarded by the lock of {@link PluginExchange}.
 */
final class WaitingRequests {
  /** None is empty; the first has the next turn. */
  private final Map<ClientConnection, Deque<PluginRequest>> queues = new LinkedHashMap<>();

  private int size;

  int size() {
    return size;
  }

  void add(PluginRequest request) {
    queues.computeIfAbsent(request.connection(), it -> new ArrayDeque<>()).add(request);
    size++;
  }

  /**
   * Removes the oldest request of the connection whose turn it is, which then has the last turn.
   */
  PluginRequest removeNext() {
    Iterator<Map.Entry<ClientConnection, Deque<PluginRequest>>> turns =
        queues.entrySet().iterator();
    if (!turns.hasNext()) {
      throw new NoSuchElementException();
    }
    Map.Entry<ClientConnection, Deque<PluginRequest>> turn = turns.next();
    ClientConnection connection = turn.getKey();
    Deque<PluginRequest> queue = turn.getValue();
    turns.remove();
    PluginRequest next = queue.remove();
    size--;
    if (!queue.isEmpty()) {
      queues.put(connection, queue);
    }
    return next;
  }

  /**
   * Makes room for a request of a connection: removes the newest request of the connection with the
   * most, unless it would then have fewer than this one.
   */
  Optional<PluginRequest> removeInFavourOf(ClientConnection connection) {
    Deque<PluginRequest> own = queues.getOrDefault(connection, new ArrayDeque<>());
    Optional<PluginRequest> removed =
        queues.values().stream()
            .max(Comparator.comparingInt(Deque::size))
            .filter(longest -> longest.size() > own.size() + 1)
            .map(Deque::removeLast);
    if (removed.isPresent()) {
      size--;
    }
    return removed;
  }

  /**
   * Removes the requests that were added at or before a time, a value of {@link System#nanoTime}.
   */
  List<PluginRequest> removeAddedBy(long time) {
    List<PluginRequest> old = new ArrayList<>();
    for (Deque<PluginRequest> queue : queues.values()) {
      while (!queue.isEmpty() && queue.element().queuedAt() - time <= 0) {
        old.add(queue.remove());
      }
    }
    queues.values().removeIf(Deque::isEmpty);
    size -= old.size();
    return old;
  }

  /** Removes all requests; those of a connection are in their order. */
  List<PluginRequest> removeAll() {
    List<PluginRequest> all = queues.values().stream().flatMap(Deque::stream).toList();
    queues.clear();
    size = 0;
    return all;
  }
}
