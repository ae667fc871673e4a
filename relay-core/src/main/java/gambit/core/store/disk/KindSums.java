package gambit.core.store.disk;

import gambit.core.model.EventId;
import gambit.core.negentropy.IdSum;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * The number of events of each kind in a block, and the sum of their ids: a value of {@link
 * Table#ID_SUM}. One thread.
 */
final class KindSums {
  static final int BYTES_PER_KIND = 2 + 4 + 32;

  private final Map<Integer, IdSum> sums = new TreeMap<>();
  private int count;

  /** Reads a value. */
  static KindSums read(ByteBuffer value) {
    KindSums block = new KindSums();
    for (int at = value.position(); at < value.limit(); at += BYTES_PER_KIND) {
      block.add(kindAt(value, at), sumAt(value, at));
    }
    return block;
  }

  /** The sum of the kinds that are wanted, of a value that is not decoded otherwise. */
  static IdSum sum(ByteBuffer value, IntPredicate kinds) {
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
        value.getInt(at + 2),
        value.getLong(at + 6),
        value.getLong(at + 14),
        value.getLong(at + 22),
        value.getLong(at + 30));
  }

  /** The number of events of all kinds. */
  int count() {
    return count;
  }

  void add(int kind, EventId id) {
    add(kind, IdSum.of(id));
  }

  void addAll(KindSums other) {
    other.sums.forEach(this::add);
  }

  private void add(int kind, IdSum sum) {
    sums.merge(kind, sum, IdSum::plus);
    count += (int) sum.count();
  }

  /** Removes an event that was added. */
  void remove(int kind, EventId id) {
    sums.computeIfPresent(
        kind,
        (it, sum) -> {
          count--;
          return sum.count() == 1 ? null : sum.minus(id);
        });
  }

  /** The value in a new buffer. */
  ByteBuffer toBuffer() {
    ByteBuffer out = ByteBuffer.allocate(BYTES_PER_KIND * sums.size());
    sums.forEach(
        (kind, sum) ->
            out.putShort(kind.shortValue())
                .putInt((int) sum.count())
                .putLong(sum.a())
                .putLong(sum.b())
                .putLong(sum.c())
                .putLong(sum.d()));
    return out.flip();
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
