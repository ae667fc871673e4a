package gambit.core.negentropy;

import gambit.core.model.ByteBuilder;
import java.nio.ByteBuffer;

/** The digest of a set's ids in a range: 16 bytes, held as two big-endian longs. */
public record Fingerprint(long first, long second) {
  static final int BYTES = 16;

  static Fingerprint of(byte[] digest) {
    ByteBuffer bytes = ByteBuffer.wrap(digest);
    return new Fingerprint(bytes.getLong(), bytes.getLong());
  }

  void writeTo(ByteBuilder out) {
    out.add(ByteBuffer.allocate(BYTES).putLong(first).putLong(second).array(), 0, BYTES);
  }
}
