package gambit.app.server.plugin;

import gambit.core.feature.ClientConnection;
import gambit.core.rate.ClientAddress;
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
 * The requests that wait to be sent: a queue for each connection. The addresses take turns, and
 * those of one address its connections, so one with many requests delays only its own. Guarded by
 * the lock of {@link PluginRunner}.
 */
final class WaitingRequests {
  /** None is empty, and none is of no connection; the first has the next turn. */
  private final Map<ClientAddress, Map<ClientConnection, Deque<PluginRequest>>> queues =
      new LinkedHashMap<>();

  private int size;

  int size() {
    return size;
  }

  void add(PluginRequest request) {
    queues
        .computeIfAbsent(request.connection().address(), it -> new LinkedHashMap<>())
        .computeIfAbsent(request.connection(), it -> new ArrayDeque<>())
        .add(request);
    size++;
  }

  /**
   * Removes the oldest request of the connection whose turn it is; it and its address then have the
   * last turns.
   */
  PluginRequest removeNext() {
    Map.Entry<ClientAddress, Map<ClientConnection, Deque<PluginRequest>>> address =
        removeFirst(queues);
    Map.Entry<ClientConnection, Deque<PluginRequest>> connection = removeFirst(address.getValue());
    PluginRequest next = connection.getValue().remove();
    size--;
    if (!connection.getValue().isEmpty()) {
      address.getValue().put(connection.getKey(), connection.getValue());
    }
    if (!address.getValue().isEmpty()) {
      queues.put(address.getKey(), address.getValue());
    }
    return next;
  }

  private static <K, V> Map.Entry<K, V> removeFirst(Map<K, V> turns) {
    Iterator<Map.Entry<K, V>> first = turns.entrySet().iterator();
    if (!first.hasNext()) {
      throw new NoSuchElementException();
    }
    Map.Entry<K, V> turn = Map.Entry.copyOf(first.next());
    first.remove();
    return turn;
  }

  /**
   * Makes room for a request of a connection: removes the newest request of the connection with the
   * most at the address with the most, unless that address, or if it is its own that connection,
   * would then have fewer than this one.
   */
  Optional<PluginRequest> removeInFavourOf(ClientConnection connection) {
    Map<ClientConnection, Deque<PluginRequest>> own =
        queues.getOrDefault(connection.address(), Map.of());
    Map<ClientConnection, Deque<PluginRequest>> most =
        queues.values().stream().max(Comparator.comparingInt(WaitingRequests::count)).orElse(own);
    if (count(most) <= count(own) + 1) {
      most = own;
    }
    int ofConnection = own.getOrDefault(connection, new ArrayDeque<>(0)).size();
    boolean isOwn = most == own;
    Optional<PluginRequest> removed =
        most.values().stream()
            .max(Comparator.comparingInt(Deque::size))
            .filter(longest -> !isOwn || longest.size() > ofConnection + 1)
            .map(Deque::removeLast);
    if (removed.isPresent()) {
      size--;
      dropEmpty();
    }
    return removed;
  }

  private static int count(Map<ClientConnection, Deque<PluginRequest>> address) {
    return address.values().stream().mapToInt(Deque::size).sum();
  }

  private void dropEmpty() {
    queues.values().forEach(address -> address.values().removeIf(Deque::isEmpty));
    queues.values().removeIf(Map::isEmpty);
  }

  /**
   * Removes the requests that were added at or before a time, a value of {@link System#nanoTime}.
   */
  List<PluginRequest> removeAddedBy(long time) {
    List<PluginRequest> old = new ArrayList<>();
    for (Map<ClientConnection, Deque<PluginRequest>> address : queues.values()) {
      for (Deque<PluginRequest> queue : address.values()) {
        while (!queue.isEmpty() && queue.element().queuedAt() - time <= 0) {
          old.add(queue.remove());
        }
      }
    }
    dropEmpty();
    size -= old.size();
    return old;
  }

  /** Removes all requests; those of a connection are in their order. */
  List<PluginRequest> removeAll() {
    List<PluginRequest> all =
        queues.values().stream()
            .flatMap(address -> address.values().stream())
            .flatMap(Deque::stream)
            .toList();
    queues.clear();
    size = 0;
    return all;
  }
}
