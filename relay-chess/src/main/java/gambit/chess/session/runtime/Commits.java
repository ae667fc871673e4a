package gambit.chess.session.runtime;

import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Publisher;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.PubKey;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Commits of the chess lane: output is released after its commit, and further requests of the
 * players concerned wait until then. Owned by the chess lane.
 */
public final class Commits {
  private final Publisher publisher;
  private final Executor lane;
  private final Inboxes inboxes;

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
   * @param before runs after the commit and before its output is released, on the writer's thread
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
            lane.execute(
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
}
