package gambit.core.replication.message;

import gambit.core.model.Bytes32;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.PackedEvent;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * A growing buffer of binary values, which {@link BinaryInput} reads. Counts and small numbers take
 * seven bits a byte, the lowest first; other numbers are big-endian. One thread.
 */
@SuppressWarnings("EnumOrdinal") // constants are only added at the end, with a new version
public final class BinaryOutput {
  private static final int MAX_NUMBER_BYTES = 10;

  /** A larger buffer is given back when it is cleared. */
  private static final int MAX_KEPT_BYTES = 1 << 20;

  private ByteBuffer buffer;

  public BinaryOutput(int capacity) {
    buffer = ByteBuffer.allocate(capacity);
  }

  /** Removes what was written. */
  public void clear() {
    if (buffer.capacity() > MAX_KEPT_BYTES) {
      buffer = ByteBuffer.allocate(MAX_KEPT_BYTES);
    }
    buffer.clear();
  }

  /** The number of bytes that were written. */
  public int size() {
    return buffer.position();
  }

  /** A copy of what was written. */
  public byte[] toArray() {
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  public void putByte(int value) {
    room(1).put((byte) value);
  }

  public void putFlag(boolean value) {
    putByte(value ? 1 : 0);
  }

  /** Writes a number in eight bytes. */
  public void putLong(long value) {
    room(Long.BYTES).putLong(value);
  }

  /** Writes a number that is probably small; a negative one takes ten bytes. */
  public void putNumber(long value) {
    ByteBuffer out = room(MAX_NUMBER_BYTES);
    long left = value;
    while ((left & ~0x7f) != 0) {
      out.put((byte) (left & 0x7f | 0x80));
      left >>>= 7;
    }
    out.put((byte) left);
  }

  /** Writes an array with its length. */
  public void putBytes(byte[] bytes) {
    putNumber(bytes.length);
    room(bytes.length).put(bytes);
  }

  public void putOptionalBytes(byte @Nullable [] bytes) {
    putFlag(bytes != null);
    if (bytes != null) {
      putBytes(bytes);
    }
  }

  /** Writes a text without lone surrogates. */
  public void putText(String text) {
    putBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  public void putId(Bytes32 id) {
    room(4 * Long.BYTES)
        .putLong(id.word(0))
        .putLong(id.word(1))
        .putLong(id.word(2))
        .putLong(id.word(3));
  }

  /** Writes ids or keys with their number. */
  public void putIds(Collection<? extends Bytes32> ids) {
    putNumber(ids.size());
    ids.forEach(this::putId);
  }

  /** Writes an event byte for byte, with its signature. */
  public void putEvent(Event event) {
    int size = PackedEvent.sizeInBytes(event);
    putNumber(size);
    PackedEvent.pack(event, room(size));
  }

  /** Writes an OK, with the id of an event in its binary form. */
  public void putOk(Ok ok) {
    boolean isId = Hex.isLowerCase(ok.id(), EventId.DIGITS);
    putFlag(isId);
    if (isId) {
      putId(EventId.ofHex(ok.id()));
    } else {
      putText(ok.id());
    }
    putFlag(ok.accepted());
    Reason reason = ok.reason().orElse(null);
    putNumber(reason == null ? 0 : reason.prefix().ordinal() + 1);
    if (reason != null) {
      putText(reason.text());
    }
    putText(ok.note());
  }

  private ByteBuffer room(int bytes) {
    if (buffer.remaining() < bytes) {
      int capacity = Math.max(2 * buffer.capacity(), Math.addExact(buffer.position(), bytes));
      buffer = ByteBuffer.allocate(capacity).put(buffer.flip());
    }
    return buffer;
  }
}
