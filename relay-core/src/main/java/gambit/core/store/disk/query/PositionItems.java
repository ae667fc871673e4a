package gambit.core.store.disk.query;

import gambit.core.negentropy.Bound;
import gambit.core.negentropy.IdSum;
import gambit.core.negentropy.Item;
import gambit.core.negentropy.ItemSet;
import gambit.core.store.EventStore;
import gambit.core.store.disk.index.IdSumUpdate;
import gambit.core.store.disk.index.IndexKeys;
import gambit.core.store.disk.index.IndexView;
import gambit.core.store.disk.index.KindSums;
import gambit.core.store.disk.index.Table;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The stored events of some kinds as they are in one view of the index. The sum of a range is made
 * from the sums of whole blocks ({@link IdSumUpdate}) and from the ids of the blocks that its ends
 * cut. One thread.
 */
final class PositionItems implements ItemSet {
  private final CommittedView view;
  private final IndexView index;
  private final IntPredicate kinds;

  PositionItems(CommittedView view, IntPredicate kinds) {
    this.view = view;
    this.index = view.index();
    this.kinds = kinds;
  }

  @Override
  public IdSum sum(Bound from, Bound to) {
    Visitor all = new Visitor();
    walk(position(from), position(to), Long.MAX_VALUE, all);
    return all.sum;
  }

  @Override
  public List<Item> items(Bound from, Bound to, int max) {
    List<Item> found = new ArrayList<>();
    Visitor first =
        new Visitor() {
          @Override
          boolean event(Item item) {
            found.add(item);
            return found.size() < max;
          }
        };
    walk(position(from), position(to), 0, first);
    return found;
  }

  @Override
  public List<Part> split(Bound from, Bound to, int parts) {
    long size = (sum(from, to).count() + parts - 1) / parts;
    Parts result = new Parts(size, to);
    walk(position(from), position(to), size, result);
    return result.all();
  }

  /** Sums the events of a range, which it receives in order, those of some whole blocks at once. */
  private static class Visitor {
    IdSum sum = IdSum.ZERO;

    void block(byte[] position, IdSum block) {
      sum = sum.plus(block);
    }

    boolean event(Item item) {
      sum = sum.plus(item.id());
      return true;
    }
  }

  /** Cuts a range where a part has enough events: between two events, or before a block. */
  private final class Parts extends Visitor {
    private final long size;
    private final Bound to;
    private final List<Part> done = new ArrayList<>();
    private @Nullable Item last;

    Parts(long size, Bound to) {
      this.size = size;
      this.to = to;
    }

    @Override
    void block(byte[] position, IdSum block) {
      if (sum.count() >= size) {
        cut(boundAt(position));
      }
      super.block(position, block);
      last = null;
    }

    @Override
    boolean event(Item item) {
      if (sum.count() >= size) {
        cut(last == null ? Bound.before(item) : Bound.between(last, item));
      }
      last = item;
      return super.event(item);
    }

    private void cut(Bound upper) {
      done.add(new Part(upper, sum));
      sum = IdSum.ZERO;
    }

    List<Part> all() {
      if (sum.count() > 0) {
        done.add(new Part(to, sum));
      } else if (!done.isEmpty()) {
        Part end = done.remove(done.size() - 1);
        done.add(new Part(to, end.sum()));
      }
      return done;
    }
  }

  /** The bound before a stored position, shortened by the one before it. */
  private Bound boundAt(byte[] position) {
    Item at = item(ByteBuffer.wrap(position));
    boolean more = index.seek(Table.POSITION, index.keys().copyOf(position));
    boolean hasPrevious = more ? index.previous(Table.POSITION) : index.last(Table.POSITION);
    return hasPrevious ? Bound.between(item(index.key(Table.POSITION)), at) : Bound.before(at);
  }

  /**
   * Walks a range. Events are read one by one only in blocks that have events of the kinds, and of
   * these in the ones that an end of the range cuts or that have more than {@code maxWhole}.
   *
   * @param from null for no event
   * @param to null for all the rest
   */
  private void walk(byte @Nullable [] from, byte @Nullable [] to, long maxWhole, Visitor visitor) {
    if (from == null) {
      return;
    }
    boolean wantsMore = true;
    byte[] start = firstBlock(from);
    while (wantsMore && start != null && isBefore(start, to)) {
      view.countExamined();
      IdSum sum = KindSums.sum(index.value(Table.ID_SUM), kinds);
      byte[] next = index.next(Table.ID_SUM) ? key(Table.ID_SUM) : null;
      boolean isInside =
          Arrays.compareUnsigned(start, from) >= 0 && (to == null || !isBefore(to, next));
      if (sum.count() > 0 && isInside && sum.count() <= maxWhole) {
        visitor.block(start, sum);
      } else if (sum.count() > 0) {
        wantsMore = readEvents(latest(start, from), earliest(next, to), visitor);
      }
      start = next;
    }
  }

  /** Moves to the block of the position, or to the first one after it. */
  private byte @Nullable [] firstBlock(byte[] position) {
    boolean more = index.seek(Table.ID_SUM, index.keys().copyOf(position));
    if (more && Arrays.equals(key(Table.ID_SUM), position)) {
      return position;
    }
    if (more ? index.previous(Table.ID_SUM) : index.last(Table.ID_SUM)) {
      return key(Table.ID_SUM);
    }
    return index.seek(Table.ID_SUM, index.keys().copyOf(position)) ? key(Table.ID_SUM) : null;
  }

  private boolean readEvents(byte[] from, byte @Nullable [] to, Visitor visitor) {
    boolean more = index.seek(Table.POSITION, index.keys().copyOf(from));
    while (more && (to == null || isBefore(index.key(Table.POSITION), to))) {
      view.countExamined();
      if (kinds.test(IndexKeys.kind(index.value(Table.POSITION)))
          && !visitor.event(item(index.key(Table.POSITION)))) {
        return false;
      }
      more = index.next(Table.POSITION);
    }
    return true;
  }

  private byte[] key(Table table) {
    return IndexKeys.bytes(index.key(table));
  }

  private static Item item(ByteBuffer position) {
    return new Item(IndexKeys.seconds(position), IdSumUpdate.idAt(position));
  }

  /** The key of a bound; null if no event can be at or after it. */
  private static byte @Nullable [] position(Bound bound) {
    if (bound.createdAt() >= EventStore.TIMESTAMP_BOUND) {
      return null;
    }
    return ByteBuffer.allocate(IdSumUpdate.POSITION_BYTES)
        .put((byte) (bound.createdAt() >>> 32))
        .putInt((int) bound.createdAt())
        .put(bound.id().bytes())
        .array();
  }

  private static boolean isBefore(byte[] position, byte @Nullable [] end) {
    return end == null || Arrays.compareUnsigned(position, end) < 0;
  }

  private static boolean isBefore(ByteBuffer position, byte[] end) {
    return IndexKeys.compare(position, ByteBuffer.wrap(end)) < 0;
  }

  private static byte[] latest(byte[] a, byte[] b) {
    return Arrays.compareUnsigned(a, b) >= 0 ? a : b;
  }

  private static byte @Nullable [] earliest(byte @Nullable [] a, byte @Nullable [] b) {
    return a == null || (b != null && isBefore(b, a)) ? b : a;
  }
}
