package gambit.app.common;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a long command in order when the process is asked to end, such as by Ctrl-C: the command
 * finishes what is under way, prints what it has done, and the process exits with the status of the
 * signal, which is {@link #STATUS} for Ctrl-C.
 */
public final class Interruption implements AutoCloseable {
  public static final int STATUS = 130;

  private static final Duration MAX_WAIT = Duration.ofSeconds(60);

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stopAndWait, "interruption");
  private volatile boolean isRequested;

  public Interruption() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  public boolean isRequested() {
    return isRequested;
  }

  private void stopAndWait() {
    isRequested = true;
    try {
      if (ended.await(MAX_WAIT.toSeconds(), TimeUnit.SECONDS)) {
        return; // the process ends, and deletes its temporary files
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(STATUS);
  }

  @Override
  public void close() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // the process is ending, and the hook with it
    }
  }
}
