package gambit.app.server.nats;

import gambit.app.server.data.StartFailure;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Pauses of a start that waits for the cluster. */
final class Pauses {
  private Pauses() {}

  /**
   * Waits.
   *
   * @throws StartFailure when the thread is interrupted; it stays interrupted
   */
  static void sleep(Duration pause) throws StartFailure {
    try {
      TimeUnit.NANOSECONDS.sleep(pause.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartFailure("cluster.servers: the start was interrupted.");
    }
  }
}
