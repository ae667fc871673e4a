package gambit.chess.session.runtime;

import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Publisher;
import gambit.core.feature.WriteOutcome;
import gambit.core.log.LimitedLog;
import gambit.core.model.PubKey;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Commits of the chess lane: output is released after its commit, and further requests of the
 * players concerned wait until then. Commits that were written together are settled in one task of
 * the lane. Owned by the chess lane.
 */
public final class Commits {
  private static final LimitedLog LOG = LimitedLog.of(Commits.class);

  private final Publisher publisher;
  private final Executor lane;
  private final Inboxes inboxes;

  /** Of commits with an outcome; added by the writer's thread. */
  private final Queue<Runnable> settlements = new ConcurrentLinkedQueue<>();

  private final AtomicBoolean isSettling = new AtomicBoolean(); // whether a task is queued for them

  /**
   * Commits through a publisher.
   *
   * @param lane runs tasks on the chess lane
   */
  public Commits(Publisher publisher, Executor lane, Inboxes inboxes) {
    this.publisher = publisher;
    this.lane = lane;
    this.inboxes = inboxes;
  }

  /** The tasks that wait for a commit. */
  Inboxes inboxes() {
    return inboxes;
  }

  /** Sends output that needs no commit. */
  public void send(List<Outgoing> outgoing) {
    publisher.send(outgoing);
  }

  /**
   * Commits everything or nothing, and releases output.
   *
   * @param about the players whose requests wait until the commit is settled
   * @param outgoing the output if the commit succeeds
   * @param instead makes the output if the commit fails; called on the writer's thread
   * @param settled receives the outcome, on the chess lane
   */
  public void store(
      Collection<PubKey> about,
      Commit commit,
      List<Outgoing> outgoing,
      Function<WriteOutcome, List<Outgoing>> instead,
      Consumer<WriteOutcome> settled) {
    store(about, commit, () -> {}, outgoing, instead, settled);
  }

  /**
   * As the other method, with an action between the commit and its output.
   *
   * @param before runs before the output is released, on the writer's thread: after the commit, in
   *     a cluster before it, so that it must be undone if the outcome is another one
   */
  public void store(
      Collection<PubKey> about,
      Commit commit,
      Runnable before,
      List<Outgoing> outgoing,
      Function<WriteOutcome, List<Outgoing>> instead,
      Consumer<WriteOutcome> settled) {
    inboxes.begin(about);
    Consumer<WriteOutcome> end =
        outcome ->
            settleLater(
                () -> {
                  try {
                    settled.accept(outcome);
                  } finally {
                    inboxes.end(about);
                  }
                });
    boolean isAccepted =
        publisher.store(
            commit,
            outcome -> {
              if (outcome != WriteOutcome.STORED) {
                return instead.apply(outcome);
              }
              before.run();
              return outgoing;
            },
            end);
    if (!isAccepted) {
      publisher.send(instead.apply(WriteOutcome.FAILED));
      end.accept(WriteOutcome.FAILED);
    }
  }

  private void settleLater(Runnable settlement) {
    settlements.add(settlement);
    if (isSettling.compareAndSet(false, true)) {
      lane.execute(this::settle);
    }
  }

  /** Settles all commits with an outcome; if that fails for one, the others follow. */
  private void settle() {
    isSettling.set(false); // first, so that what is added meanwhile is not missed
    for (Runnable next = settlements.poll(); next != null; next = settlements.poll()) {
      try {
        next.run();
      } catch (RuntimeException e) {
        LOG.error("A commit could not be settled; this is a bug", e);
      }
    }
  }
}
