package gambit.core.store.disk.index;

import gambit.core.model.EventId;
import gambit.core.negentropy.IdSum;
import java.nio.ByteBuffer;
import java.util.function.IntPredicate;

/**
 * The number of events of each kind in a block, and the sum of their ids: a value of {@link
 * Table#ID_SUM}, which is changed in place. One thread.
 */
public final class KindSums {
  static final int BYTES_PER_KIND = 2 + 4 + 32;

  private static final int COUNT_AT = 2;
  private static final int SUM_AT = 6;

  private ByteBuffer sums; // in the order of kinds, up to the limit; the position is 0
  private int count;

  public KindSums() {
    this(0);
  }

  /** Has room for the sums of one more kind. */
  private KindSums(int bytes) {
    sums = ByteBuffer.allocate(bytes + BYTES_PER_KIND).limit(bytes);
  }

  /** Reads a value. */
  public static KindSums read(ByteBuffer value) {
    KindSums block = new KindSums(value.remaining());
    block.sums.put(0, value, value.position(), value.remaining());
    for (int at = 0; at < block.sums.limit(); at += BYTES_PER_KIND) {
      block.count += block.sums.getInt(at + COUNT_AT);
    }
    return block;
  }

  /** The sum of the kinds that are wanted, of a value that is not decoded otherwise. */
  public static IdSum sum(ByteBuffer value, IntPredicate kinds) {
    IdSum sum = IdSum.ZERO;
    for (int at = value.position(); at < value.limit(); at += BYTES_PER_KIND) {
      if (kinds.test(kindAt(value, at))) {
        sum = sum.plus(sumAt(value, at));
      }
    }
    return sum;
  }

  private static int kindAt(ByteBuffer value, int at) {
    return value.getShort(at) & 0xffff;
  }

  private static IdSum sumAt(ByteBuffer value, int at) {
    return new IdSum(
        value.getInt(at + COUNT_AT),
        value.getLong(at + SUM_AT),
        value.getLong(at + SUM_AT + 8),
        value.getLong(at + SUM_AT + 16),
        value.getLong(at + SUM_AT + 24));
  }

  /** The number of events of all kinds. */
  int count() {
    return count;
  }

  public void add(int kind, EventId id) {
    add(kind, id.word(0), id.word(1), id.word(2), id.word(3));
  }

  /** Adds an event whose id is at an index of a buffer. */
  public void add(int kind, ByteBuffer in, int idAt) {
    add(kind, in.getLong(idAt), in.getLong(idAt + 8), in.getLong(idAt + 16), in.getLong(idAt + 24));
  }

  /** Adds an event with an id of four big-endian words. */
  private void add(int kind, long a, long b, long c, long d) {
    plus(
        entryOf(kind),
        1,
        Long.reverseBytes(a),
        Long.reverseBytes(b),
        Long.reverseBytes(c),
        Long.reverseBytes(d),
        0);
  }

  void addAll(KindSums other) {
    for (int at = 0; at < other.sums.limit(); at += BYTES_PER_KIND) {
      plus(
          entryOf(kindAt(other.sums, at)),
          other.sums.getInt(at + COUNT_AT),
          other.sums.getLong(at + SUM_AT),
          other.sums.getLong(at + SUM_AT + 8),
          other.sums.getLong(at + SUM_AT + 16),
          other.sums.getLong(at + SUM_AT + 24),
          0);
    }
  }

  /** Removes an event that was added. */
  void remove(int kind, EventId id) {
    int at = placeOf(kind);
    if (!hasKind(kind, at)) {
      return;
    }
    // A negative number is its complement plus one.
    plus(
        at,
        -1,
        ~Long.reverseBytes(id.word(0)),
        ~Long.reverseBytes(id.word(1)),
        ~Long.reverseBytes(id.word(2)),
        ~Long.reverseBytes(id.word(3)),
        1);
    if (sums.getInt(at + COUNT_AT) == 0) {
      int end = sums.limit() - BYTES_PER_KIND;
      sums.put(at, sums, at + BYTES_PER_KIND, end - at).limit(end);
    }
  }

  /** The index of a kind's entry, which is made with zeros if there is none. */
  private int entryOf(int kind) {
    int at = placeOf(kind);
    if (hasKind(kind, at)) {
      return at;
    }
    int end = sums.limit();
    ByteBuffer from = sums;
    if (end + BYTES_PER_KIND > sums.capacity()) {
      sums = ByteBuffer.allocate(2 * sums.capacity()).put(0, from, 0, at);
    }
    sums.limit(end + BYTES_PER_KIND);
    sums.put(at + BYTES_PER_KIND, from, at, end - at);
    sums.putShort(at, (short) kind).putInt(at + COUNT_AT, 0);
    for (int word = 0; word < 4; word++) {
      sums.putLong(at + SUM_AT + 8 * word, 0);
    }
    return at;
  }

  /** The index of the first entry whose kind is not less. */
  private int placeOf(int kind) {
    int from = 0;
    int to = sums.limit() / BYTES_PER_KIND;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (kindAt(sums, middle * BYTES_PER_KIND) < kind) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from * BYTES_PER_KIND;
  }

  private boolean hasKind(int kind, int at) {
    return at < sums.limit() && kindAt(sums, at) == kind;
  }

  /** Adds to an entry; the sum's words begin with the least significant one. */
  private void plus(int at, int events, long a, long b, long c, long d, int carry) {
    count += events;
    sums.putInt(at + COUNT_AT, sums.getInt(at + COUNT_AT) + events);
    long toB = plus(at + SUM_AT, a, carry);
    long toC = plus(at + SUM_AT + 8, b, toB);
    long toD = plus(at + SUM_AT + 16, c, toC);
    plus(at + SUM_AT + 24, d, toD);
  }

  /** Adds a number and a carry to a word; returns the carry to the next word. */
  private long plus(int at, long number, long carry) {
    long before = sums.getLong(at);
    long sum = before + number + carry;
    sums.putLong(at, sum);
    return ((before & number) | ((before | number) & ~sum)) >>> 63;
  }

  /** The value; valid until the next change. */
  public ByteBuffer value() {
    return sums;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KindSums that && sums.equals(that.sums);
  }

  @Override
  public int hashCode() {
    return sums.hashCode();
  }
}
