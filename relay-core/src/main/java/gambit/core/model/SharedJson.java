package gambit.core.model;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of an event, shared by all its receivers, without a reference to the event. Queued
 * frames hold only this, because an event's decoded tags may occupy many times as much memory. It
 * counts its holders, so that its bytes are counted once for all of them. Thread-safe.
 */
public final class SharedJson {
  /** Counts the bytes held in memory; all holders of an event use the same counter. Any thread. */
  public interface ByteCounter {
    void reserve(long bytes);

    void release(long bytes);
  }

  /** The size is in the lower half of {@link #holdersAndSize}, the number of holders above it. */
  private static final int HOLDERS_SHIFT = 32;

  private static final long ONE_HOLDER = 1L << HOLDERS_SHIFT;

  private static final AtomicLongFieldUpdater<SharedJson> HOLDERS_AND_SIZE =
      AtomicLongFieldUpdater.newUpdater(SharedJson.class, "holdersAndSize");

  private final byte[] bytes;
  private volatile byte @Nullable [] compressed;

  @SuppressWarnings("UnusedVariable") // by the updater
  private volatile long holdersAndSize;

  SharedJson(byte[] bytes) {
    this.bytes = bytes;
    this.holdersAndSize = bytes.length;
  }

  /** The canonical encoding. It must not be modified. */
  public byte[] bytes() {
    return bytes;
  }

  /** Adds a holder; the first one reserves the bytes. */
  public void hold(ByteCounter counter) {
    long before = HOLDERS_AND_SIZE.getAndAdd(this, ONE_HOLDER);
    if (before >>> HOLDERS_SHIFT == 0) {
      counter.reserve(size(before));
    }
  }

  /** Removes a holder; the last one releases the bytes. */
  public void release(ByteCounter counter) {
    long after = HOLDERS_AND_SIZE.addAndGet(this, -ONE_HOLDER);
    if (after >>> HOLDERS_SHIFT == 0) {
      counter.release(size(after));
    }
  }

  private static long size(long holdersAndSize) {
    return holdersAndSize & (ONE_HOLDER - 1);
  }

  /**
   * The compressed encoding, created by the first call's compressor, kept for all receivers and
   * counted with the encoding by the counter of the holders.
   */
  public byte[] compressed(UnaryOperator<byte[]> compressor, ByteCounter counter) {
    byte[] known = compressed;
    return known == null ? compress(compressor, counter) : known;
  }

  private byte[] compress(UnaryOperator<byte[]> compressor, ByteCounter counter) {
    byte[] made = compressor.apply(bytes);
    synchronized (this) {
      byte[] known = compressed;
      if (known != null) {
        return known;
      }
      compressed = made;
    }
    long after = HOLDERS_AND_SIZE.addAndGet(this, made.length);
    if (after >>> HOLDERS_SHIFT > 0) {
      counter.reserve(made.length);
    }
    return made;
  }
}
