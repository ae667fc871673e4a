package gambit.core.lane;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The tasks of one owner on a lane that many share. Only one of them at a time waits in the lane,
 * so that owners take turns however much one of them has to do. Thread-safe.
 *
 * <p>The owner bounds how many of its tasks are not over; one that is over does not wait.
 */
public final class TurnQueue {
  /** What waits for its turn. */
  @FunctionalInterface
  public interface Task extends Runnable {
    /** True when nobody needs it any more: it is run sooner then, to give back what it holds. */
    default boolean isOver() {
      return false;
    }
  }

  private final Lane lane;

  @GuardedBy("this")
  private final Deque<Task> waiting = new ArrayDeque<>(2);

  @GuardedBy("this")
  private boolean inLane;

  public TurnQueue(Lane lane) {
    this.lane = lane;
  }

  /** Queues a task; false, and nothing happens, when the lane is full. */
  public boolean submit(Task task) {
    endWhatIsOver();
    synchronized (this) {
      if (!inLane && !lane.submit(this::runNext)) {
        return false;
      }
      inLane = true;
      waiting.add(task);
      return true;
    }
  }

  /** Queues a task beyond the lane's bound: {@link Lane#put}. */
  public void put(Task task) {
    endWhatIsOver();
    synchronized (this) {
      if (!inLane) {
        lane.put(this::runNext);
      }
      inLane = true;
      waiting.add(task);
    }
  }

  /** Runs what is over at once, on the caller's thread: a lane may be long in coming to it. */
  public void endWhatIsOver() {
    List<Task> over = new ArrayList<>(0);
    synchronized (this) {
      waiting.removeIf(task -> task.isOver() && over.add(task));
    }
    over.forEach(Task::run);
  }

  private void runNext() {
    Task task;
    synchronized (this) {
      task = waiting.poll(); // none when all were over
    }
    try {
      if (task != null) {
        task.run();
      }
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
