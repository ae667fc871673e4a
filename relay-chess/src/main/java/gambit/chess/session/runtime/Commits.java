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
 * How the chess lane stores and tells: what has to survive is committed before it is told, and
 * whoever it is about waits meanwhile. The chess lane's only.
 */
public final class Commits {
  private final Publisher publisher;
  private final Executor lane;
  private final Inboxes inboxes;

  /**
   * Commits through a publisher.
   *
   * @param lane continues on the chess lane
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

  /** Tells what needs no commit. */
  public void tell(List<Outgoing> outgoing) {
    publisher.tell(outgoing);
  }

  /**
   * Stores, all or nothing, and then tells.
   *
   * @param about who waits meanwhile
   * @param instead what to tell when it could not be stored; on the writer's thread
   * @param settled hears of it on the chess lane
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
   * The same for what others than those who wait may react to at once.
   *
   * @param before what has to be so before it is told; on the writer's thread
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
    boolean taken =
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
    if (!taken) {
      publisher.tell(instead.apply(WriteOutcome.FAILED));
      end.accept(WriteOutcome.FAILED);
    }
  }
}
