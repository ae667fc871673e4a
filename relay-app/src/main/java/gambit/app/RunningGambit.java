package gambit.app;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.app.common.CommandFailure;
import gambit.app.server.nats.NatsConnection.ClusterUnreachable;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The program that runs. In a cluster, it is replaced by another one when another node has taken
 * over from it. Thread-safe; one thread at a time waits for the end of a program and starts the
 * next.
 */
final class RunningGambit implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunningGambit.class);
  private static final Duration RETRY_PAUSE = Duration.ofSeconds(2);

  /** A start that does not end within this time after its interruption is abandoned. */
  private static final Duration ABANDON_TIMEOUT = Duration.ofSeconds(5);

  interface Program extends AutoCloseable {
    String awaitOvertaken();

    String readiness();

    @Override
    void close();
  }

  @FunctionalInterface
  interface Starter {
    Program start() throws CommandFailure;
  }

  private final Starter starter;
  private final Duration retryPause;

  /** Held while a program is replaced or closed. */
  private final ReentrantLock replacing = new ReentrantLock();

  private volatile @Nullable Program running; // null while another one replaces it, and at the end

  /** The thread that starts a program, while it may be interrupted. */
  @GuardedBy("this")
  private @Nullable Thread starting;

  private volatile boolean isClosed;

  RunningGambit(Program first, Starter again) {
    this(first, again, RETRY_PAUSE);
  }

  RunningGambit(Program first, Starter again, Duration retryPause) {
    this.running = first;
    this.starter = again;
    this.retryPause = retryPause;
  }

  /**
   * Waits until another node has taken over from the program, and starts it anew; returns false if
   * it has been closed instead. While NATS cannot be reached, it tries again, for as long as it
   * takes; after another failure nothing runs.
   */
  boolean startAnewWhenOvertaken() throws CommandFailure {
    Program former = running;
    if (former == null) {
      return false;
    }
    String cause = former.awaitOvertaken();
    replacing.lock();
    try {
      if (isClosed) {
        return false;
      }
      running = null;
      LOG.warn("The relay starts anew as a follower of its cluster: {}", cause);
      former.close();
      running = next();
      return running != null && !isClosed;
    } finally {
      replacing.unlock();
    }
  }

  /** Starts the next program; null if this is closed meanwhile. */
  private @Nullable Program next() throws CommandFailure {
    if (!mayInterrupt(Thread.currentThread())) {
      return null;
    }
    try {
      Program next = start();
      LOG.info("Ready again: {}", next.readiness());
      return next;
    } catch (CommandFailure | RuntimeException e) {
      if (isClosed) {
        LOG.info("The relay was starting anew when it was closed: {}", e.getMessage());
        return null;
      }
      LOG.error("The relay cannot be started anew, and ends: {}", e.getMessage());
      throw e;
    } finally {
      mayInterrupt(null);
    }
  }

  /** Sets the thread that a close interrupts; returns false if there was a close. */
  private synchronized boolean mayInterrupt(@Nullable Thread thread) {
    starting = thread;
    return !isClosed;
  }

  private Program start() throws CommandFailure {
    while (true) {
      try {
        return starter.start();
      } catch (ClusterUnreachable e) {
        LOG.warn("The relay cannot start anew yet, and tries again: {}", e.getMessage());
        try {
          TimeUnit.NANOSECONDS.sleep(retryPause.toNanos());
        } catch (InterruptedException interruption) {
          Thread.currentThread().interrupt();
          throw e;
        }
      }
    }
  }

  /**
   * Closes the program, also one that replaces another one at the moment. A start that is under way
   * is interrupted; if it does not end within some seconds, it is left to the end of the process,
   * like that of the first program.
   */
  @Override
  public void close() {
    long patience = Long.MAX_VALUE; // the process has less
    synchronized (this) {
      isClosed = true;
      if (starting != null) {
        starting.interrupt();
        patience = ABANDON_TIMEOUT.toNanos();
      }
    }
    try {
      if (replacing.tryLock(patience, TimeUnit.NANOSECONDS)) {
        try {
          Program last = running;
          running = null;
          if (last != null) {
            last.close();
          }
        } finally {
          replacing.unlock();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
