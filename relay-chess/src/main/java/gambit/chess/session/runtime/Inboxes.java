package gambit.chess.session.runtime;

import gambit.core.model.PubKey;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What waits for a player while something is being committed for that player: what is to happen
 * next is decided on what has happened, not on what might. So a game has at most one uncommitted
 * step. The chess lane's only; bounded by the events that may be under way.
 */
public final class Inboxes {
  private static final class Inbox {
    private int commits;
    private final Deque<Runnable> waiting = new ArrayDeque<>(2);
  }

  private final Map<PubKey, Inbox> busy = new HashMap<>();

  public boolean isBusy(PubKey player) {
    return busy.containsKey(player);
  }

  /** A commit for these players begins. */
  public void begin(Collection<PubKey> players) {
    players.forEach(player -> busy.computeIfAbsent(player, p -> new Inbox()).commits++);
  }

  /** Lets something wait until the player is not busy any more. */
  public void await(PubKey player, Runnable task) {
    Objects.requireNonNull(busy.get(player)).waiting.add(task);
  }

  /** Lets something wait before all that waits already: what a commit has led to. */
  public void awaitFirst(PubKey player, Runnable task) {
    Objects.requireNonNull(busy.get(player)).waiting.addFirst(task);
  }

  /** A commit for these players is settled: what waits for them goes on. */
  public void end(Collection<PubKey> players) {
    for (PubKey player : players) {
      Inbox inbox = busy.get(player);
      if (inbox != null && --inbox.commits == 0) {
        busy.remove(player);
        goOn(player, inbox.waiting);
      }
    }
  }

  private void goOn(PubKey player, Deque<Runnable> waiting) {
    while (!waiting.isEmpty()) {
      Inbox again = busy.get(player);
      if (again != null) {
        waiting.addAll(again.waiting); // behind those that came before
        again.waiting.clear();
        again.waiting.addAll(waiting);
        return;
      }
      waiting.remove().run();
    }
  }
}
