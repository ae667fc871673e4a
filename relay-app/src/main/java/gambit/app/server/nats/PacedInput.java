package gambit.app.server.nats;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** Reads no more bytes a second than it may, so that a large transfer leaves room for others. */
final class PacedInput extends FilterInputStream {
  private final long bytesPerSecond;
  private final TransferProgress progress;
  private final long start = System.nanoTime();
  private long bytes;

  PacedInput(InputStream in, long bytesPerSecond, TransferProgress progress) {
    super(in);
    this.bytesPerSecond = bytesPerSecond;
    this.progress = progress;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] to, int from, int length) throws IOException {
    int count = in.read(to, from, length);
    if (count > 0) {
      bytes += count;
      progress.add(count);
      await(start + bytes * TimeUnit.SECONDS.toNanos(1) / bytesPerSecond - System.nanoTime());
    }
    return count;
  }

  private static void await(long nanos) throws InterruptedIOException {
    try {
      TimeUnit.NANOSECONDS.sleep(Math.max(0, nanos));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }
}
