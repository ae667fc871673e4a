package gambit.chess.session.play;

import gambit.core.feature.Outgoing;
import gambit.core.feature.Publisher;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.PubKey;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The commits of the chess lane that are not settled yet. A commit takes three steps:
 *
 * <ol>
 *   <li>On the chess lane, {@link #store} hands the commit to the writer. From now on requests of
 *       the players concerned wait ({@link BusyPlayers}), because they would be decided on a state
 *       that may not come about.
 *   <li>On the writer's thread, the output of a stored commit is released; in place of the output
 *       of a failed commit, {@code instead} is.
 *   <li>On the chess lane, the commit is settled: {@code settled} takes the new state over, and the
 *       requests that wait are handled.
 * </ol>
 *
 * <p>Between the second and the third step a player already sees a state that the lane does not
 * have yet. The player's next request arrives in between and waits, so the request finds that
 * state.
 *
 * <p>Owned by the chess lane.
 */
public final class PendingCommits {
  private final Publisher publisher;
  private final Executor lane;
  private final BusyPlayers busyPlayers = new BusyPlayers();

  public PendingCommits(Publisher publisher, Executor lane) {
    this.publisher = publisher;
    this.lane = lane;
  }

  BusyPlayers busyPlayers() {
    return busyPlayers;
  }

  public void send(List<Outgoing> outgoing) {
    publisher.send(outgoing);
  }

  /**
   * Commits everything or nothing, and releases output.
   *
   * @param about the players whose requests wait until the commit is settled
   * @param instead makes the output if the commit fails; called on the writer's thread
   * @param settled receives the outcome, on the chess lane
   */
  public void store(
      Collection<PubKey> about,
      Announcements announcements,
      Function<WriteOutcome, List<Outgoing>> instead,
      Consumer<WriteOutcome> settled) {
    busyPlayers.begin(about);
    Consumer<WriteOutcome> end =
        outcome ->
            lane.execute(
                () -> {
                  try {
                    settled.accept(outcome);
                  } finally {
                    busyPlayers.end(about);
                  }
                });
    boolean isAccepted =
        publisher.store(
            announcements.commit(),
            outcome -> {
              if (outcome != WriteOutcome.STORED) {
                return instead.apply(outcome);
              }
              announcements.beforeOutput().run();
              return announcements.outgoing();
            },
            end);
    if (!isAccepted) {
      publisher.send(instead.apply(WriteOutcome.FAILED));
      end.accept(WriteOutcome.FAILED);
    }
  }

  /**
   * The players with a pending commit, and the tasks that wait for its end, since requests are
   * decided on committed state only. So a game has at most one uncommitted step. Bounded by the
   * events under way. Owned by the chess lane.
   */
  public static final class BusyPlayers {
    private static final class Inbox {
      private int commits;
      private final Deque<Runnable> waiting = new ArrayDeque<>(2);
    }

    private final Map<PubKey, Inbox> busy = new HashMap<>();

    public boolean contains(PubKey player) {
      return busy.containsKey(player);
    }

    public void begin(Collection<PubKey> players) {
      players.forEach(player -> busy.computeIfAbsent(player, p -> new Inbox()).commits++);
    }

    /**
     * If one of some players is busy, runs a task when that player no longer is; else returns
     * false.
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
}
