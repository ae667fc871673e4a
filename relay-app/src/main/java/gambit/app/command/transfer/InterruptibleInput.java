package gambit.app.command.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An input that may be idle for any time, such as a pipe. A thread of its own reads it, at most
 * {@value #MAX_CHUNKS} chunks of {@value #CHUNK_BYTES} bytes ahead, so that the input ends as soon
 * as the command is to end. One thread.
 */
final class InterruptibleInput extends InputStream {
  private static final int CHUNK_BYTES = 1 << 16;
  private static final int MAX_CHUNKS = 4;
  private static final int POLL_MILLIS = 50;
  private static final byte[] END = new byte[0];

  private final BooleanSupplier isStopping;
  private final BlockingQueue<byte[]> chunks = new ArrayBlockingQueue<>(MAX_CHUNKS);
  private final Thread reader;
  private volatile @Nullable IOException failure;
  private byte[] chunk = new byte[0];
  private int at;
  private boolean isAtEnd;

  /** Begins to read an input, which is closed at its end; asks often whether to stop. */
  InterruptibleInput(InputStream in, BooleanSupplier isStopping) {
    this.isStopping = isStopping;
    this.reader = new Thread(() -> read(in), "input");
    reader.setDaemon(true); // it may be idle when the process ends
    reader.start();
  }

  private void read(InputStream from) {
    byte[] buffer = new byte[CHUNK_BYTES];
    try {
      try (from) {
        for (int length = from.read(buffer); length >= 0; length = from.read(buffer)) {
          chunks.put(Arrays.copyOf(buffer, length));
        }
      } catch (IOException e) {
        failure = e;
      }
      chunks.put(END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed
    }
  }

  @Override
  public int read() throws IOException {
    return awaitBytes() ? chunk[at++] & 0xff : -1;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    } else if (!awaitBytes()) {
      return -1;
    }
    int count = Math.min(length, chunk.length - at);
    System.arraycopy(chunk, at, bytes, offset, count);
    at += count;
    return count;
  }

  /** Waits for bytes; false at the end. */
  private boolean awaitBytes() throws IOException {
    while (at == chunk.length && !isAtEnd) {
      byte[] next = poll();
      if (next == END) {
        isAtEnd = true;
        IOException e = failure;
        if (e != null) {
          throw e;
        }
      } else if (next != null) {
        chunk = next;
        at = 0;
      } else {
        isAtEnd = isStopping.getAsBoolean();
      }
    }
    return at < chunk.length;
  }

  private byte @Nullable [] poll() throws IOException {
    try {
      return chunks.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  /** The number of bytes that have been read from the input, or of the first of them. */
  @Override
  public int available() {
    byte[] next = chunks.peek();
    return chunk.length - at + (next == null || next == END ? 0 : next.length);
  }

  @Override
  public void close() {
    reader.interrupt();
  }
}
