package gambit.core.lane;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one owner on a lane that many owners share. Only one of them at a time is in the
 * lane's inbox, so that owners take turns, however many tasks one of them has. Thread-safe.
 *
 * <p>Bound: the owner limits the number of its tasks that are not cancelled; cancelled ones are run
 * at the next call.
 */
public final class TurnQueue {
  /** A task that waits for its turn. */
  @FunctionalInterface
  public interface Task extends Runnable {
    /** Whether its result is no longer needed; it is then run early, to release what it holds. */
    default boolean isCancelled() {
      return false;
    }
  }

  private final Lane lane;

  @GuardedBy("this")
  private final Deque<Task> waiting = new ArrayDeque<>(1);

  @GuardedBy("this")
  private boolean inLane;

  public TurnQueue(Lane lane) {
    this.lane = lane;
  }

  /** Queues a task, or runs a cancelled one; false, without effect, as {@link Lane#submit}. */
  public boolean submit(Set<?> owners, Task task) {
    synchronized (this) {
      if (!inLane && !lane.submit(owners, this::runNext)) {
        return false;
      }
      inLane = true;
      waiting.add(task);
    }
    runCancelled();
    return true;
  }

  /** Queues a task beyond the lane's bound: {@link Lane#put}. */
  public void put(Task task) {
    synchronized (this) {
      if (!inLane) {
        lane.put(this::runNext);
      }
      inLane = true;
      waiting.add(task);
    }
    runCancelled();
  }

  /** Runs cancelled tasks at once, on the caller's thread; the lane may be busy for long. */
  public void runCancelled() {
    List<Task> cancelled = new ArrayList<>(0);
    synchronized (this) {
      waiting.removeIf(task -> task.isCancelled() && cancelled.add(task));
    }
    cancelled.forEach(Task::run);
  }

  private void runNext() {
    @Nullable Task task;
    synchronized (this) {
      task = waiting.poll(); // null when all were cancelled
    }
    try {
      if (task != null) {
        task.run();
      }
    } finally {
      requeue();
    }
  }

  private synchronized void requeue() {
    inLane = !waiting.isEmpty();
    if (inLane) {
      lane.put(this::runNext);
    }
  }
}
