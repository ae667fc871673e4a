package gambit.core.model;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that all receivers of an event share, and nothing else of it: what waits for a client
 * keeps these alone, since an event's tags, once they have been read, may take many times as much.
 * It knows how many hold it, so that its bytes are counted once for all of them. Thread-safe.
 */
public final class SharedJson {

  /** Counts the bytes that are held in memory; one for all holders of an event. Any thread. */
  public interface Counter {
    void reserve(long bytes);

    void release(long bytes);
  }

  /** The size is in the lower half of {@link #holdersAndSize}, the number of holders above it. */
  private static final int HOLDERS_SHIFT = 32;

  private static final long ONE_HOLDER = 1L << HOLDERS_SHIFT;

  private final byte[] bytes;
  private volatile byte @Nullable [] compressed;
  private final AtomicLong holdersAndSize;

  SharedJson(byte[] bytes) {
    this.bytes = bytes;
    this.holdersAndSize = new AtomicLong(bytes.length);
  }

  /** The canonical encoding; not to be written to. */
  public byte[] bytes() {
    return bytes;
  }

  /** One more holds the bytes; the first one counts them. */
  public void hold(Counter counter) {
    long before = holdersAndSize.getAndAdd(ONE_HOLDER);
    if (before >>> HOLDERS_SHIFT == 0) {
      counter.reserve(size(before));
    }
  }

  /** One holds the bytes no longer; the last one gives them back. */
  public void release(Counter counter) {
    long after = holdersAndSize.addAndGet(-ONE_HOLDER);
    if (after >>> HOLDERS_SHIFT == 0) {
      counter.release(size(after));
    }
  }

  private static long size(long holdersAndSize) {
    return holdersAndSize & (ONE_HOLDER - 1);
  }

  /**
   * A compressed form of the encoding, made by whoever asks first, kept for all receivers and
   * counted with the encoding.
   *
   * @param compressor always the same one
   * @param counter that of the holders
   */
  public byte[] compressed(UnaryOperator<byte[]> compressor, Counter counter) {
    byte[] known = compressed;
    return known == null ? compress(compressor, counter) : known;
  }

  private byte[] compress(UnaryOperator<byte[]> compressor, Counter counter) {
    byte[] made = compressor.apply(bytes);
    synchronized (this) {
      byte[] known = compressed;
      if (known != null) {
        return known;
      }
      compressed = made;
    }
    long after = holdersAndSize.addAndGet(made.length);
    if (after >>> HOLDERS_SHIFT > 0) {
      counter.reserve(made.length);
    }
    return made;
  }
}
