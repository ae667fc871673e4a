package gambit.app.server.nats;

import gambit.app.common.Amounts;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
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

  TransferProgress(String what, long totalBytes) {
    this.what = what;
    this.totalBytes = totalBytes;
  }

  /** Counts what is read, no more bytes a second than that: others have room beside it. */
  InputStream paced(InputStream in, long bytesPerSecond) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] to, int from, int length) throws IOException {
        int count = in.read(to, from, length);
        if (count > 0) {
          add(count);
          await(start + (long) (doneBytes * 1e9 / bytesPerSecond)); // no overflow beyond 9 GB
        }
        return count;
      }
    };
  }

  private static void await(long nanoTime) throws InterruptedIOException {
    try {
      TimeUnit.NANOSECONDS.sleep(Math.max(0, nanoTime - System.nanoTime()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  OutputStream counted(OutputStream out) {
    return new FilterOutputStream(out) {
      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        out.write(bytes, from, length);
        add(length);
      }
    };
  }

  private void add(long bytes) {
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

  double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }
}
