package gambit.core.lane;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The tasks of one owner on a lane that many share. Only one of them at a time waits in the lane,
 * so that owners take turns however much one of them has to do. Thread-safe.
 *
 * <p>The owner bounds how many tasks it gives.
 */
public final class TakingTurns {
  private final Lane lane;
  private final Deque<Runnable> waiting = new ArrayDeque<>(2); // guarded by this
  private boolean inLane; // guarded by this

  public TakingTurns(Lane lane) {
    this.lane = lane;
  }

  /** Queues a task; false, and nothing happens, when the lane is full. */
  public synchronized boolean submit(Runnable task) {
    if (!inLane && !lane.submit(this::runNext)) {
      return false;
    }
    inLane = true;
    waiting.add(task);
    return true;
  }

  /** Queues a task beyond the lane's bound: {@link Lane#put}. */
  public synchronized void put(Runnable task) {
    if (!inLane) {
      lane.put(this::runNext);
    }
    inLane = true;
    waiting.add(task);
  }

  private void runNext() {
    Runnable task;
    synchronized (this) {
      task = waiting.remove();
    }
    try {
      task.run();
    } finally {
      goToTheEnd();
    }
  }

  private synchronized void goToTheEnd() {
    inLane = !waiting.isEmpty();
    if (inLane) {
      lane.put(this::runNext);
    }
  }
}
