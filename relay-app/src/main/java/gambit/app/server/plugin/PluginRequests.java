package gambit.app.server.plugin;

import gambit.core.feature.AsyncEventGate.Verdict;
import gambit.core.feature.ClientConnection;
import gambit.core.log.LimitedLog;
import gambit.core.rate.ClientAddress;
import java.time.Duration;
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
 * The requests that wait to be sent, and those that the plugin has been sent, in the order in which
 * their verdicts are delivered. Of those that wait, each connection has a queue. The addresses take
 * turns, and those of one address its connections, so one with many requests delays only its own.
 * Guarded by the {@link PluginRunner}.
 */
final class PluginRequests {
  static final int MAX_SENT = 64;

  private static final LimitedLog LOG = LimitedLog.of(PluginRequests.class);

  /** None is empty, and none is of no connection; the first has the next turn. */
  private final Map<ClientAddress, Map<ClientConnection, Deque<PluginRequest>>> queues =
      new LinkedHashMap<>();

  private final Deque<PluginRequest> sent = new ArrayDeque<>();
  private int waiting;
  private long oldestSince; // when the first sent request became the first

  int waiting() {
    return waiting;
  }

  int sent() {
    return sent.size();
  }

  /**
   * Adds a request to those that wait, of which there may be {@code most}; returns the one for
   * which there is no room, this one or another.
   */
  Optional<PluginRequest> add(PluginRequest request, int most) {
    ClientConnection connection = request.submission.connection();
    Optional<PluginRequest> removed = Optional.empty();
    if (waiting >= most) {
      removed = removeInFavourOf(connection);
      if (removed.isEmpty()) {
        return Optional.of(request);
      }
    }
    queues
        .computeIfAbsent(connection.address(), it -> new LinkedHashMap<>())
        .computeIfAbsent(connection, it -> new ArrayDeque<>())
        .add(request);
    waiting++;
    return removed;
  }

  boolean canSend() {
    return waiting > 0 && sent.size() < MAX_SENT;
  }

  List<PluginRequest> send(long now) {
    if (sent.isEmpty()) {
      oldestSince = now;
    }
    List<PluginRequest> next = new ArrayList<>();
    while (canSend()) {
      PluginRequest request = removeNext();
      request.sentAt = now;
      sent.add(request);
      next.add(request);
    }
    return next;
  }

  PluginRequest find(PluginAnswer answer) throws PluginFailure {
    return sent.stream()
        .filter(it -> it.verdict == null && it.submission.event().id().hex().equals(answer.id()))
        .findFirst()
        .orElseThrow(
            () -> new PluginFailure("has answered for an event that it was not asked about"));
  }

  /** Delivers the verdicts of the oldest requests, up to the first without one. */
  void deliverDecided(long now) {
    for (PluginRequest oldest = sent.peek(); oldest != null; oldest = sent.peek()) {
      Verdict verdict = oldest.verdict;
      if (verdict == null) {
        return;
      }
      sent.remove();
      deliver(oldest, verdict);
      oldestSince = now;
    }
  }

  static void deliver(PluginRequest request, Verdict verdict) {
    try {
      request.receiver.accept(verdict);
    } catch (RuntimeException e) {
      LOG.error("A verdict could not be delivered", e);
    }
  }

  boolean isOverdue(long now, Duration timeout) {
    return !sent.isEmpty() && now - oldestSince >= timeout.toNanos();
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
    waiting--;
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
        queues.values().stream().max(Comparator.comparingInt(PluginRequests::count)).orElse(own);
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
      waiting--;
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
        while (!queue.isEmpty() && queue.element().queuedAt - time <= 0) {
          old.add(queue.remove());
        }
      }
    }
    dropEmpty();
    waiting -= old.size();
    return old;
  }

  /** Removes all requests; those of a connection are in their order. */
  List<PluginRequest> removeAll() {
    List<PluginRequest> all = new ArrayList<>(sent);
    queues.values().forEach(address -> address.values().forEach(all::addAll));
    sent.clear();
    queues.clear();
    waiting = 0;
    return all;
  }
}
