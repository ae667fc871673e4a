package gambit.core.net;

import gambit.core.lane.Lane;
import io.netty.channel.EventLoop;
import io.netty.util.internal.PlatformDependent;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The outboxes of one event loop that have frames to write, or tasks that wait until they are
 * drained. One task of the loop drains all of them, so a delivery to many clients wakes the loop
 * once. Any thread adds outboxes; the loop drains them.
 *
 * <p>Bound: each outbox is in the queue once at most.
 */
final class EventLoopDrains {
  private final Executor loop;
  private final Queue<WebSocketOutbox> waiting = PlatformDependent.newMpscQueue();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private volatile long scheduledAt; // value of System.nanoTime
  private final Runnable wakeUp = this::schedule;

  EventLoopDrains(Executor loop) {
    this.loop = loop;
  }

  /** Those of a loop; a loop that is not the relay's has one for each call. */
  static EventLoopDrains of(EventLoop loop) {
    return loop instanceof EventLoops.Loop own ? own.drains : new EventLoopDrains(loop);
  }

  /** Queues an outbox that is not in the queue. Any thread. */
  void add(WebSocketOutbox outbox) {
    waiting.add(outbox);
    if (!scheduled.get()) {
      Lane.wake(wakeUp);
    }
  }

  private void schedule() {
    if (!waiting.isEmpty() && scheduled.compareAndSet(false, true)) {
      scheduledAt = System.nanoTime();
      loop.execute(this::drainAll);
    }
  }

  /** Those that are added meanwhile have to wait for the next task, so that other tasks run. */
  private void drainAll() {
    long since = scheduledAt;
    scheduled.set(false);
    boolean isFirst = true;
    try {
      for (int left = waiting.size(); left > 0; left--) {
        WebSocketOutbox next = waiting.poll();
        if (next == null) {
          break;
        }
        if (isFirst) {
          next.metrics().eventLoopWait.recordSince(since);
          isFirst = false;
        }
        next.drainQueued();
      }
    } finally {
      schedule(); // after a failure, too
    }
  }
}
