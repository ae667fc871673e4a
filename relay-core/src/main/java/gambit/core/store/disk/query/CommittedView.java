package gambit.core.store.disk.query;

import gambit.core.model.Filter;
import gambit.core.negentropy.Bound;
import gambit.core.negentropy.IdSum;
import gambit.core.negentropy.Item;
import gambit.core.negentropy.ItemSet;
import gambit.core.store.EventStore;
import gambit.core.store.StoreSnapshot;
import gambit.core.store.StoredEvent;
import gambit.core.store.disk.index.IdSumUpdate;
import gambit.core.store.disk.index.IndexKeys;
import gambit.core.store.disk.index.IndexView;
import gambit.core.store.disk.index.KindSums;
import gambit.core.store.disk.index.Table;
import gambit.core.store.disk.log.LogView;
import gambit.core.store.disk.log.RecordFilter;
import gambit.core.store.disk.query.StoreSearch.StoreView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The view of one page, or of a snapshot. The index snapshot is taken first, so that the log
 * contains every record in it. One thread.
 */
public final class CommittedView implements StoreView, StoreSnapshot {
  private final IndexView index;
  private final LogView log;
  private long examined; // by the sets of items

  public CommittedView(IndexView index, LogView log) {
    this.index = index;
    this.log = log;
  }

  @Override
  public IndexView index() {
    return index;
  }

  public LogView log() {
    return log;
  }

  @Override
  public @Nullable StoredEvent event(long offset, RecordFilter filter) {
    return log.event(offset, filter);
  }

  @Override
  public ItemSet items(IntPredicate kinds) {
    return new PositionItems(kinds);
  }

  @Override
  public List<StoredEvent> find(Filter filter, int max) {
    return StoreSearch.find(filter, max, this);
  }

  @Override
  public List<StoredEvent> expired(long seconds, int max) {
    return StoreSearch.expired(seconds, max, this);
  }

  @Override
  public long examined() {
    return examined;
  }

  @Override
  public void close() {
    log.close();
    index.close();
  }

  /**
   * The stored events of some kinds as they are in one view of the index. The sum of a range is
   * made from the sums of whole blocks ({@link IdSumUpdate}) and from the ids of the blocks that
   * its ends cut. One thread.
   */
  private final class PositionItems implements ItemSet {
    private final IntPredicate kinds;

    PositionItems(IntPredicate kinds) {
      this.kinds = kinds;
    }

    @Override
    public IdSum sum(Bound from, Bound to) {
      Visitor all = new Visitor();
      walk(from, to, Long.MAX_VALUE, all);
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
      walk(from, to, 0, first);
      return found;
    }

    @Override
    public List<Part> split(Bound from, Bound to, int parts) {
      long size = (sum(from, to).count() + parts - 1) / parts;
      Parts result = new Parts(size, to);
      walk(from, to, size, result);
      return result.all();
    }

    /**
     * Sums the events of a range, which it receives in order, those of some whole blocks at once.
     */
    private static class Visitor {
      IdSum sum = IdSum.ZERO;

      void block(Bound position, IdSum block) {
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
      void block(Bound position, IdSum block) {
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
    private Bound boundAt(Bound position) {
      boolean more = index.seek(Table.POSITION, key(position));
      boolean hasPrevious = more ? index.previous(Table.POSITION) : index.last(Table.POSITION);
      return hasPrevious
          ? Bound.between(itemAtCursor(), new Item(position.createdAt(), position.id()))
          : position;
    }

    /**
     * Walks a range. Events are read one by one only in blocks that have events of the kinds, and
     * of these in the ones that an end of the range cuts or that have more than {@code maxWhole}.
     */
    private void walk(Bound from, Bound to, long maxWhole, Visitor visitor) {
      if (from.createdAt() >= EventStore.TIMESTAMP_BOUND) {
        return; // no event can be there
      }
      Bound end = to.createdAt() >= EventStore.TIMESTAMP_BOUND ? Bound.INFINITY : to;
      boolean wantsMore = true;
      Bound start = seekBlock(from) ? blockAtCursor() : Bound.INFINITY;
      while (wantsMore && start.compareTo(end) < 0) {
        examined++;
        IdSum sum = KindSums.sum(index.value(Table.ID_SUM), kinds);
        Bound next = index.next(Table.ID_SUM) ? blockAtCursor() : Bound.INFINITY;
        boolean isInside = start.compareTo(from) >= 0 && next.compareTo(end) <= 0;
        if (sum.count() > 0 && isInside && sum.count() <= maxWhole) {
          visitor.block(start, sum);
        } else if (sum.count() > 0) {
          Bound first = start.compareTo(from) >= 0 ? start : from;
          wantsMore = readEvents(first, next.compareTo(end) < 0 ? next : end, visitor);
        }
        start = next;
      }
    }

    /** Moves to the block of a position, or to the first one after it. */
    private boolean seekBlock(Bound position) {
      boolean more = index.seek(Table.ID_SUM, key(position));
      if (more && blockAtCursor().equals(position)) {
        return true;
      }
      return (more ? index.previous(Table.ID_SUM) : index.last(Table.ID_SUM))
          || index.seek(Table.ID_SUM, key(position));
    }

    private Bound blockAtCursor() {
      ByteBuffer key = index.key(Table.ID_SUM);
      return new Bound(IndexKeys.seconds(key), IdSumUpdate.idAt(key));
    }

    private boolean readEvents(Bound from, Bound to, Visitor visitor) {
      boolean more = index.seek(Table.POSITION, key(from));
      while (more) {
        Item item = itemAtCursor();
        if (!to.isAfter(item)) {
          return true;
        }
        examined++;
        if (kinds.test(IndexKeys.kind(index.value(Table.POSITION))) && !visitor.event(item)) {
          return false;
        }
        more = index.next(Table.POSITION);
      }
      return true;
    }

    private Item itemAtCursor() {
      ByteBuffer key = index.key(Table.POSITION);
      return new Item(IndexKeys.seconds(key), IdSumUpdate.idAt(key));
    }

    private ByteBuffer key(Bound position) {
      return index.keys().positionKey(position.createdAt(), position.id());
    }
  }
}
