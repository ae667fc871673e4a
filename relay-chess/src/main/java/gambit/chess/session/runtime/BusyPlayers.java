package gambit.chess.session.runtime;

import gambit.core.model.PubKey;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The players with a pending commit, and the tasks that wait for its end, since requests are
 * decided on committed state only. So a game has at most one uncommitted step. Bounded by the
 * events under way. Owned by the chess lane.
 */
public final class BusyPlayers {
  private static final class Inbox {
    private int commits;
    private final Deque<Runnable> waiting = new ArrayDeque<>(2);
  }

  private final Map<PubKey, Inbox> busy = new HashMap<>();

  public boolean contains(PubKey player) {
    return busy.containsKey(player);
  }

  /** Begins a commit for players. */
  public void begin(Collection<PubKey> players) {
    players.forEach(player -> busy.computeIfAbsent(player, p -> new Inbox()).commits++);
  }

  /**
   * If one of some players is busy, runs a task when that player no longer is; else returns false.
   */
  public boolean awaitIfBusy(Collection<PubKey> players, Runnable task) {
    for (PubKey player : players) {
      if (contains(player)) {
        await(player, task);
        return true;
      }
    }
    return false;
  }

  /** Runs a task when the player is no longer busy, after the tasks that wait already. */
  public void await(PubKey player, Runnable task) {
    Objects.requireNonNull(busy.get(player)).waiting.add(task);
  }

  /** Runs a task when the player is no longer busy, before the tasks that wait already. */
  public void awaitFirst(PubKey player, Runnable task) {
    Objects.requireNonNull(busy.get(player)).waiting.addFirst(task);
  }

  /** Ends a commit for players, and runs the tasks that wait for it. */
  public void end(Collection<PubKey> players) {
    for (PubKey player : players) {
      Inbox inbox = busy.get(player);
      if (inbox != null && --inbox.commits == 0) {
        busy.remove(player);
        runWaiting(player, inbox.waiting);
      }
    }
  }

  private void runWaiting(PubKey player, Deque<Runnable> waiting) {
    while (!waiting.isEmpty()) {
      Inbox again = busy.get(player);
      if (again != null) {
        waiting.addAll(again.waiting); // after the older tasks
        again.waiting.clear();
        again.waiting.addAll(waiting);
        return;
      }
      waiting.remove().run();
    }
  }
}
