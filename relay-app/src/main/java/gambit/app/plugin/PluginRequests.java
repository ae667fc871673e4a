package gambit.app.plugin;

import gambit.core.feature.AsyncEventGate.Verdict;
import gambit.core.log.LimitedLog;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The requests that wait to be sent, and those that the plugin has been sent, each in the order of
 * their arrival, in which verdicts are delivered. Guarded by the lock of {@link PluginRunner}.
 */
final class PluginRequests {
  /** The most requests without an answer that the plugin has been sent. */
  static final int MAX_SENT = 64;

  private static final LimitedLog LOG = LimitedLog.of(PluginRequests.class);

  private final Deque<PluginRequest> waiting = new ArrayDeque<>();
  private final Deque<PluginRequest> sent = new ArrayDeque<>();
  private long oldestSince; // when the first sent request became the first

  int waiting() {
    return waiting.size();
  }

  int sent() {
    return sent.size();
  }

  void add(PluginRequest request) {
    waiting.add(request);
  }

  /** Whether there is a request that may be sent now. */
  boolean canSend() {
    return !waiting.isEmpty() && sent.size() < MAX_SENT;
  }

  /** The next requests, which count as sent from now on. */
  List<PluginRequest> send(long now) {
    if (sent.isEmpty()) {
      oldestSince = now;
    }
    List<PluginRequest> next = new ArrayList<>();
    while (canSend()) {
      PluginRequest request = waiting.remove();
      request.sent(now);
      sent.add(request);
      next.add(request);
    }
    return next;
  }

  /** The request that an answer is for. */
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

  /** Removes the requests that have waited for so long to be sent. */
  List<PluginRequest> removeExpired(long now, Duration timeout) {
    List<PluginRequest> expired = new ArrayList<>();
    for (PluginRequest oldest = waiting.peek();
        oldest != null && now - oldest.queuedAt() >= timeout.toNanos();
        oldest = waiting.peek()) {
      expired.add(waiting.remove());
    }
    return expired;
  }

  /** Removes all requests, in their order. */
  List<PluginRequest> removeAll() {
    List<PluginRequest> all = new ArrayList<>(sent);
    all.addAll(waiting);
    sent.clear();
    waiting.clear();
    return all;
  }
}
