package gambit.core.replication;

import gambit.core.log.LimitedLog;
import gambit.core.store.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * The first moment of a leader: what is asked of it waits until the nodes that live have told it of
 * their connections, so that it decides nothing about clients whom it does not know yet. The
 * writer's thread only. Bounds: {@link #LONGEST}, and the events and commits that wait at the
 * nodes, each as often as its node begins a session meanwhile.
 */
final class LeadershipStart {
  private static final LimitedLog LOG = LimitedLog.of(LeadershipStart.class);

  /** The longest wait for the sessions of other nodes. */
  static final Duration LONGEST = Duration.ofSeconds(1);

  private final Set<Long> awaited;
  private final Instant end;
  private final Runnable resume;
  private final Deque<Runnable> held = new ArrayDeque<>();
  private boolean isOver;

  /**
   * A leader that begins.
   *
   * @param awaited the nodes that are heard of
   * @param begun when it began to lead
   * @param resume handles what has waited at this node; called once, before what others ask
   */
  LeadershipStart(Set<Long> awaited, Instant begun, Runnable resume) {
    this.awaited = new HashSet<>(awaited);
    this.end = begun.plus(LONGEST);
    this.resume = resume;
  }

  /** Ends the wait if nobody is awaited. */
  void begin() {
    endIf(awaited.isEmpty());
  }

  /** A node has told everything about its connections, or has gone. */
  void known(long node) {
    awaited.remove(node);
    endIf(awaited.isEmpty());
  }

  /** Ends the wait if it has taken too long. Called now and then. */
  void tick(Instant now) {
    endIf(!now.isBefore(end));
  }

  /** Handles a request of another node, now or once the wait is over. */
  void handle(Runnable request) {
    if (isOver) {
      request.run();
    } else {
      held.add(request);
    }
  }

  private static void run(Runnable request) {
    try {
      request.run();
    } catch (RuntimeException e) {
      LOG.error("A request of another node failed; this is a bug", e);
    }
  }

  private void endIf(boolean isDue) {
    if (isDue && !isOver) {
      isOver = true;
      try {
        resume.run();
      } catch (RuntimeException e) {
        throw new StoreFailure("this node cannot lead its cluster", e);
      }
      while (!held.isEmpty()) {
        run(held.remove());
      }
    }
  }
}
