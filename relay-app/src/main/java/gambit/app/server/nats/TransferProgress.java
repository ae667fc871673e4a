package gambit.app.server.nats;

import gambit.app.common.Amounts;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs how far a transfer of files is, every ten seconds. One thread. */
final class TransferProgress {
  private static final Logger LOG = LoggerFactory.getLogger(TransferProgress.class);
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private final String what;
  private final long totalBytes;
  private final long start = System.nanoTime();
  private long doneBytes;
  private long lastLine = start;

  /**
   * Begins.
   *
   * @param what the transfer, at the beginning of a sentence
   */
  TransferProgress(String what, long totalBytes) {
    this.what = what;
    this.totalBytes = totalBytes;
  }

  void add(long bytes) {
    doneBytes += bytes;
    long now = System.nanoTime();
    if (now - lastLine >= PERIOD.toNanos()) {
      lastLine = now;
      LOG.info("{}: {} of {}", what, Amounts.ofBytes(doneBytes), Amounts.ofBytes(totalBytes));
    }
  }

  long doneBytes() {
    return doneBytes;
  }

  /** The time since the beginning in seconds. */
  double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }
}
