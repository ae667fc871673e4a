package gambit.core.model;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that all receivers of an event share, and nothing else of it: what waits for a client
 * keeps these alone, since an event's tags, once they have been read, may take many times as much.
 * Thread-safe.
 */
public final class SharedJson {
  private final byte[] bytes;
  private volatile byte @Nullable [] compressed;

  SharedJson(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The canonical encoding; not to be written to. */
  public byte[] bytes() {
    return bytes;
  }

  /**
   * A compressed form of the encoding, made by whoever asks first and kept for all receivers.
   *
   * @param compressor always the same one
   */
  public byte[] compressed(UnaryOperator<byte[]> compressor) {
    byte[] known = compressed;
    if (known == null) {
      known = compressor.apply(bytes);
      compressed = known;
    }
    return known;
  }
}
