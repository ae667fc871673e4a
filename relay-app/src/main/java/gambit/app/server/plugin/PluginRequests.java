package gambit.app.server.plugin;

import gambit.core.feature.AsyncEventGate.Verdict;
import gambit.core.log.LimitedLog;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The requests that wait to be sent, and those that the plugin has been sent, in the order in which
 * their verdicts are delivered. Guarded by the lock of {@link PluginRunner}.
 */
final class PluginRequests {
  /** The most requests without an answer that the plugin has been sent. */
  static final int MAX_SENT = 64;

  private static final LimitedLog LOG = LimitedLog.of(PluginRequests.class);

  private final WaitingRequests waiting = new WaitingRequests();
  private final Deque<PluginRequest> sent = new ArrayDeque<>();
  private long oldestSince; // when the first sent request became the first

  int waiting() {
    return waiting.size();
  }

  int sent() {
    return sent.size();
  }

  /**
   * Adds a request to those that wait.
   *
   * @param most the most requests that may wait
   * @return the request for which there is no room, this one or another
   */
  Optional<PluginRequest> add(PluginRequest request, int most) {
    Optional<PluginRequest> removed = Optional.empty();
    if (waiting.size() >= most) {
      removed = waiting.removeInFavourOf(request.connection());
      if (removed.isEmpty()) {
        return Optional.of(request);
      }
    }
    waiting.add(request);
    return removed;
  }

  boolean canSend() {
    return waiting.size() > 0 && sent.size() < MAX_SENT;
  }

  /** The next requests, which count as sent from now on. */
  List<PluginRequest> send(long now) {
    if (sent.isEmpty()) {
      oldestSince = now;
    }
    List<PluginRequest> next = new ArrayList<>();
    while (canSend()) {
      PluginRequest request = waiting.removeNext();
      request.sent(now);
      sent.add(request);
      next.add(request);
    }
    return next;
  }

  PluginRequest find(PluginAnswer answer) throws PluginFailure {
    return sent.stream()
        .filter(it -> it.verdict() == null && it.id().hex().equals(answer.id()))
        .findFirst()
        .orElseThrow(
            () -> new PluginFailure("has answered for an event that it was not asked about"));
  }

  /** Delivers the verdicts of the oldest requests, up to the first without one. */
  void deliverDecided(long now) {
    for (PluginRequest oldest = sent.peek(); oldest != null; oldest = sent.peek()) {
      Verdict verdict = oldest.verdict();
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
      request.deliver(verdict);
    } catch (RuntimeException e) {
      LOG.error("A verdict could not be delivered", e);
    }
  }

  /** Whether the oldest sent request has been that for so long without an answer. */
  boolean isOverdue(long now, Duration timeout) {
    return !sent.isEmpty() && now - oldestSince >= timeout.toNanos();
  }

  List<PluginRequest> removeExpired(long now, Duration timeout) {
    return waiting.removeAddedBy(now - timeout.toNanos());
  }

  /** Removes all requests; those of a connection are in their order. */
  List<PluginRequest> removeAll() {
    List<PluginRequest> all = new ArrayList<>(sent);
    all.addAll(waiting.removeAll());
    sent.clear();
    return all;
  }
}
