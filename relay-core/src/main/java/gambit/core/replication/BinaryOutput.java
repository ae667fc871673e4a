package gambit.core.replication;

import gambit.core.model.Bytes32;
import gambit.core.model.Event;
import gambit.core.model.PackedEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * A growing buffer of binary values, which {@link BinaryInput} reads. Counts and small numbers take
 * seven bits a byte, the lowest first; other numbers are big-endian. One thread.
 */
final class BinaryOutput {
  private static final int MAX_NUMBER_BYTES = 10;

  /** A larger buffer is given back when it is cleared. */
  private static final int MAX_KEPT_BYTES = 1 << 20;

  private ByteBuffer buffer;

  BinaryOutput(int capacity) {
    buffer = ByteBuffer.allocate(capacity);
  }

  /** Removes what was written. */
  void clear() {
    if (buffer.capacity() > MAX_KEPT_BYTES) {
      buffer = ByteBuffer.allocate(MAX_KEPT_BYTES);
    }
    buffer.clear();
  }

  /** The number of bytes that were written. */
  int size() {
    return buffer.position();
  }

  /** A copy of what was written. */
  byte[] toArray() {
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  void putByte(int value) {
    room(1).put((byte) value);
  }

  void putFlag(boolean value) {
    putByte(value ? 1 : 0);
  }

  /** Writes a number in eight bytes. */
  void putLong(long value) {
    room(Long.BYTES).putLong(value);
  }

  /** Writes a number that is probably small; a negative one takes ten bytes. */
  void putNumber(long value) {
    ByteBuffer out = room(MAX_NUMBER_BYTES);
    long left = value;
    while ((left & ~0x7f) != 0) {
      out.put((byte) (left & 0x7f | 0x80));
      left >>>= 7;
    }
    out.put((byte) left);
  }

  /** Writes an array with its length. */
  void putBytes(byte[] bytes) {
    putNumber(bytes.length);
    room(bytes.length).put(bytes);
  }

  void putOptionalBytes(byte @Nullable [] bytes) {
    putFlag(bytes != null);
    if (bytes != null) {
      putBytes(bytes);
    }
  }

  /** Writes a text without lone surrogates. */
  void putText(String text) {
    putBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  void putId(Bytes32 id) {
    room(4 * Long.BYTES)
        .putLong(id.word(0))
        .putLong(id.word(1))
        .putLong(id.word(2))
        .putLong(id.word(3));
  }

  /** Writes ids or keys with their number. */
  void putIds(Collection<? extends Bytes32> ids) {
    putNumber(ids.size());
    ids.forEach(this::putId);
  }

  /** Writes an event byte for byte, with its signature. */
  void putEvent(Event event) {
    int size = PackedEvent.sizeInBytes(event);
    putNumber(size);
    PackedEvent.pack(event, room(size));
  }

  private ByteBuffer room(int bytes) {
    if (buffer.remaining() < bytes) {
      int capacity = Math.max(2 * buffer.capacity(), Math.addExact(buffer.position(), bytes));
      buffer = ByteBuffer.allocate(capacity).put(buffer.flip());
    }
    return buffer;
  }
}
