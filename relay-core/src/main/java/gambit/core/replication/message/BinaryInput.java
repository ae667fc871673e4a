package gambit.core.replication.message;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PackedEvent;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import gambit.core.wire.Utf8;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link BinaryOutput} has written. Every method throws {@link IllegalArgumentException}
 * if the bytes are anything else, and allocates no more than a small multiple of their number. One
 * thread.
 */
public final class BinaryInput {
  /** The size of an id or a key. */
  public static final int ID_BYTES = EventId.DIGITS / 2;

  private static final Reason.Prefix[] PREFIXES = Reason.Prefix.values();

  private final byte[] bytes;
  private final ByteBuffer in;

  public BinaryInput(byte[] bytes) {
    this.bytes = bytes;
    this.in = ByteBuffer.wrap(bytes);
  }

  public boolean isAtEnd() {
    return !in.hasRemaining();
  }

  /** Fails unless everything has been read. */
  public void requireEnd() {
    if (in.hasRemaining()) {
      throw new IllegalArgumentException(in.remaining() + " bytes too many");
    }
  }

  /** A byte as a number from 0 to 255. */
  public int takeByte() {
    require(1);
    return in.get() & 0xff;
  }

  public boolean takeFlag() {
    int value = takeByte();
    if (value > 1) {
      throw new IllegalArgumentException("not a flag: " + value);
    }
    return value == 1;
  }

  /** A number in eight bytes. */
  public long takeLong() {
    require(Long.BYTES);
    return in.getLong();
  }

  /** A number in four bytes. */
  public int takeInt() {
    require(Integer.BYTES);
    return in.getInt();
  }

  /** A number in its shortest form. */
  public long takeNumber() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = takeByte();
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        if ((next == 0 && shift > 0) || (shift == 63 && next > 1)) {
          throw new IllegalArgumentException("not a number in its shortest form");
        }
        return value;
      }
    }
    throw new IllegalArgumentException("a number of more than 64 bits");
  }

  /** A number from 0 to the given one. */
  public int takeNumber(int max) {
    long value = takeNumber();
    if (value < 0 || value > max) {
      throw new IllegalArgumentException("a number above " + max);
    }
    return (int) value;
  }

  /** A number that is not negative. */
  public long takeNaturalNumber() {
    long value = takeNumber();
    if (value < 0) {
      throw new IllegalArgumentException("a number below 0");
    }
    return value;
  }

  /** The number of things that follow, each of at least some bytes. */
  public int takeCount(int bytesEach) {
    return takeNumber(in.remaining() / bytesEach);
  }

  /** A list with its number of elements, each of at least some bytes. */
  public <T> List<T> takeList(int bytesEach, Supplier<T> element) {
    int count = takeCount(bytesEach);
    List<T> list = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      list.add(element.get());
    }
    return list;
  }

  /** An array with its length. */
  public byte[] takeBytes() {
    return takeBytes(takeCount(1));
  }

  /** That number of bytes. */
  public byte[] takeBytes(int length) {
    require(length);
    int from = in.position();
    in.position(from + length);
    return Arrays.copyOfRange(bytes, from, from + length);
  }

  /** Everything that is left. */
  public byte[] takeRest() {
    return takeBytes(in.remaining());
  }

  public byte @Nullable [] takeOptionalBytes() {
    return takeFlag() ? takeBytes() : null;
  }

  public String takeText() {
    byte[] text = takeBytes();
    if (!Utf8.isValid(text, text.length)) {
      throw new IllegalArgumentException("not UTF-8");
    }
    return new String(text, StandardCharsets.UTF_8);
  }

  public EventId takeEventId() {
    return new EventId(takeBytes(ID_BYTES));
  }

  public PubKey takePubKey() {
    return new PubKey(takeBytes(ID_BYTES));
  }

  /** Ids with their number. */
  public List<EventId> takeEventIds() {
    return takeList(ID_BYTES, this::takeEventId);
  }

  /** Keys with their number. */
  public List<PubKey> takePubKeys() {
    return takeList(ID_BYTES, this::takePubKey);
  }

  /** A value of an enumeration, by its place. */
  public <E> E takeOneOf(E[] values) {
    return values[takeNumber(values.length - 1)];
  }

  /** An event with its length. */
  public Event takeEvent() {
    int size = takeCount(1);
    int at = in.position();
    if (!PackedEvent.isWellFormed(in, at, size)) {
      throw new IllegalArgumentException("not an event");
    }
    in.position(at + size);
    Event event = PackedEvent.unpack(in, at, size);
    if (!Utf8.isValid(event.json(), event.json().length)) {
      throw new IllegalArgumentException("not UTF-8");
    }
    return event;
  }

  /** An OK. */
  public Ok takeOk() {
    String id = takeFlag() ? takeEventId().hex() : takeText();
    boolean isAccepted = takeFlag();
    int prefix = takeNumber(PREFIXES.length);
    Optional<Reason> reason =
        prefix == 0 ? Optional.empty() : Optional.of(new Reason(PREFIXES[prefix - 1], takeText()));
    return new Ok(id, isAccepted, reason, takeText());
  }

  private void require(int needed) {
    if (needed < 0 || in.remaining() < needed) {
      throw new IllegalArgumentException("too short");
    }
  }
}
