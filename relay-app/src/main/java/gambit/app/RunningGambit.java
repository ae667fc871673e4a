package gambit.app;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.app.common.CommandFailure;
import gambit.app.server.nats.NatsConnection.ClusterUnreachable;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
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

  @GuardedBy("this")
  private @Nullable Program running; // null while another one replaces it, and at the end

  @GuardedBy("this")
  private boolean isReplacing;

  /** The thread that starts a program, while it may be interrupted. */
  @GuardedBy("this")
  private @Nullable Thread starting;

  @GuardedBy("this")
  private boolean isClosed;

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
    Program former;
    synchronized (this) {
      if (running == null) {
        return false;
      }
      former = running;
    }
    String cause = former.awaitOvertaken();
    synchronized (this) {
      if (isClosed) {
        return false;
      }
      running = null;
      isReplacing = true;
    }
    try {
      LOG.warn("The relay starts anew as a follower of its cluster: {}", cause);
      former.close();
      return isStarted();
    } finally {
      synchronized (this) {
        isReplacing = false;
        notifyAll();
      }
    }
  }

  /** Starts the next program; returns false if this is closed meanwhile. */
  private boolean isStarted() throws CommandFailure {
    synchronized (this) {
      if (isClosed) {
        return false;
      }
      starting = Thread.currentThread();
    }
    Program next;
    try {
      next = start();
    } catch (CommandFailure | RuntimeException e) {
      if (isClosed()) {
        LOG.info("The relay was starting anew when it was closed: {}", e.getMessage());
        return false;
      }
      LOG.error("The relay cannot be started anew, and ends: {}", e.getMessage());
      throw e;
    }
    boolean isKept;
    synchronized (this) {
      starting = null;
      isKept = !isClosed;
      running = isKept ? next : null;
    }
    if (!isKept) {
      Thread.interrupted(); // the end of a program waits for its threads
      next.close();
      return false;
    }
    LOG.info("Ready again: {}", next.readiness());
    return true;
  }

  private synchronized boolean isClosed() {
    return isClosed;
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
   * Closes the program. A start that is under way is interrupted; if it does not end within some
   * seconds, it is left to the end of the process, like that of the first program.
   */
  @Override
  public void close() {
    Program last;
    synchronized (this) {
      isClosed = true;
      awaitReplacement();
      last = running;
      running = null;
    }
    if (last != null) {
      last.close();
    }
  }

  @GuardedBy("this")
  private void awaitReplacement() {
    long deadline = System.nanoTime() + ABANDON_TIMEOUT.toNanos();
    if (starting != null) {
      starting.interrupt();
    }
    try {
      while (isReplacing && (starting == null || System.nanoTime() < deadline)) {
        TimeUnit.MILLISECONDS.timedWait(this, 100);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
