package gambit.core.negentropy;

import gambit.core.model.EventId;
import gambit.core.negentropy.IdSum.Fingerprint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the ranges of one message, strictly: each number in its shortest form, bounds that do not
 * go back, and nothing that is cut off. A range may be empty, as other implementations send. One
 * thread.
 */
public final class RangeReader {
  /** The byte of protocol version 1, with which a message begins. */
  public static final int VERSION = 0x61;

  private static final int LOWEST_VERSION = 0x60;
  private static final int HIGHEST_VERSION = 0x6f;
  private static final int ID_BYTES = 32;

  private final byte[] message;
  private int at;
  private Position lastUpper = Position.START;

  /** Reads from the first range on; refuses a message that begins with no version's byte. */
  public RangeReader(byte[] message) throws NegentropyException {
    this.message = message;
    int version = nextByte();
    if (version < LOWEST_VERSION || version > HIGHEST_VERSION) {
      throw new NegentropyException("the first byte is no version of the protocol");
    }
  }

  /** Whether the message is of version 1; the ranges of another one cannot be read. */
  public boolean isVersion1() {
    return message[0] == VERSION;
  }

  public boolean hasNext() {
    return at < message.length;
  }

  /** The upper bound of the last range that was read, which is the lower one of the next. */
  public Position lower() {
    return lastUpper;
  }

  /** Reads the next range; refuses a malformed one. */
  public Range next() throws NegentropyException {
    Position upper = nextBound();
    long mode = nextVarint();
    Range range;
    if (mode == 0) {
      range = new Range.Skip(upper);
    } else if (mode == 1) {
      range = new Range.WithFingerprint(upper, Fingerprint.of(nextBytes(Fingerprint.BYTES)));
    } else if (mode == 2) {
      range = new Range.WithIds(upper, nextIds());
    } else {
      throw new NegentropyException("unknown mode " + mode);
    }
    lastUpper = upper;
    return range;
  }

  private Position nextBound() throws NegentropyException {
    long encodedTime = nextVarint();
    long prefixLength = nextVarint();
    if (prefixLength > ID_BYTES) {
      throw new NegentropyException("a bound's id is longer than 32 bytes");
    }
    byte[] id = Arrays.copyOf(nextBytes((int) prefixLength), ID_BYTES);
    if (encodedTime == 0 && !Arrays.equals(id, new byte[ID_BYTES])) {
      throw new NegentropyException("a bound at infinity has an id");
    }
    if (encodedTime > Long.MAX_VALUE - lastUpper.createdAt()) {
      throw new NegentropyException("a bound's time is too large");
    }
    Position bound =
        encodedTime == 0
            ? Position.INFINITY
            : new Position(lastUpper.createdAt() + encodedTime - 1, new EventId(id));
    if (bound.compareTo(lastUpper) < 0) {
      throw new NegentropyException("a bound is lower than the one before it");
    }
    return bound;
  }

  private List<EventId> nextIds() throws NegentropyException {
    long count = nextVarint();
    if (count > (message.length - at) / ID_BYTES) {
      throw endOfMessage();
    }
    List<EventId> ids = new ArrayList<>((int) count);
    for (int i = 0; i < count; i++) {
      ids.add(new EventId(nextBytes(ID_BYTES)));
    }
    return ids;
  }

  private long nextVarint() throws NegentropyException {
    int digit = nextByte();
    if (digit == 0x80) {
      throw new NegentropyException("a number is not in its shortest form");
    }
    long number = digit & 0x7f;
    while (digit >= 0x80) {
      if (number >= 1L << 56) {
        throw new NegentropyException("a number has more than 63 bits");
      }
      digit = nextByte();
      number = number << 7 | digit & 0x7f;
    }
    return number;
  }

  private int nextByte() throws NegentropyException {
    if (at == message.length) {
      throw endOfMessage();
    }
    return message[at++] & 0xff;
  }

  private byte[] nextBytes(int count) throws NegentropyException {
    if (count > message.length - at) {
      throw endOfMessage();
    }
    at += count;
    return Arrays.copyOfRange(message, at - count, at);
  }

  private static NegentropyException endOfMessage() {
    return new NegentropyException("the message ends too early");
  }
}
