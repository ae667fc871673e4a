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

  int count() {
    return count;
  }

  public void add(int kind, EventId id) {
    int at = entryOf(kind);
    count++;
    putSum(at, sumAt(sums, at).plus(id));
  }

  void remove(int kind, EventId id) {
    int at = placeOf(kind);
    if (!hasKind(kind, at)) {
      return;
    }
    IdSum left = sumAt(sums, at).minus(id);
    count--;
    if (left.count() > 0) {
      putSum(at, left);
    } else {
      int end = sums.limit() - BYTES_PER_KIND;
      sums.put(at, sums, at + BYTES_PER_KIND, end - at).limit(end);
    }
  }

  private void putSum(int at, IdSum sum) {
    sums.putInt(at + COUNT_AT, (int) sum.count());
    sums.putLong(at + SUM_AT, sum.a());
    sums.putLong(at + SUM_AT + 8, sum.b());
    sums.putLong(at + SUM_AT + 16, sum.c());
    sums.putLong(at + SUM_AT + 24, sum.d());
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
    sums.putShort(at, (short) kind);
    putSum(at, IdSum.ZERO);
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

  /** The value; valid until the next change. */
  public ByteBuffer value() {
    return sums;
  }
}
