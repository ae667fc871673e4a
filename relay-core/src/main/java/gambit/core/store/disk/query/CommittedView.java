package gambit.core.store.disk.query;

import gambit.core.negentropy.IdSum;
import gambit.core.negentropy.ItemSet;
import gambit.core.negentropy.Position;
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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The view of one page, or of a snapshot. The index snapshot is taken first, so that the log
 * contains every record in it. One thread.
 */
public final class CommittedView extends StoreView implements StoreSnapshot {
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

  @Override
  public @Nullable StoredEvent event(long offset, RecordFilter filter) {
    return log.event(offset, filter);
  }

  @Override
  public ItemSet items(IntPredicate kinds) {
    return new PositionItems(kinds);
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
    public IdSum sum(Position from, Position to) {
      Visitor all = new Visitor();
      walk(from, to, Long.MAX_VALUE, all);
      return all.sum;
    }

    @Override
    public List<Position> items(Position from, Position to, int max) {
      List<Position> found = new ArrayList<>();
      Visitor first =
          new Visitor() {
            @Override
            boolean event(Position item) {
              found.add(item);
              return found.size() < max;
            }
          };
      walk(from, to, 0, first);
      return found;
    }

    @Override
    public List<Part> split(Position from, Position to, int parts) {
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

      void block(Position position, IdSum block) {
        sum = sum.plus(block);
      }

      boolean event(Position item) {
        sum = sum.plus(item.id());
        return true;
      }
    }

    /** Cuts a range where a part has enough events: between two events, or before a block. */
    private final class Parts extends Visitor {
      private final long size;
      private final Position to;
      private final List<Part> done = new ArrayList<>();
      private @Nullable Position last;

      Parts(long size, Position to) {
        this.size = size;
        this.to = to;
      }

      @Override
      void block(Position position, IdSum block) {
        if (sum.count() >= size) {
          cut(boundAt(position));
        }
        super.block(position, block);
        last = null;
      }

      @Override
      boolean event(Position item) {
        if (sum.count() >= size) {
          cut(last == null ? item : Position.between(last, item));
        }
        last = item;
        return super.event(item);
      }

      private void cut(Position upper) {
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
    private Position boundAt(Position position) {
      boolean more = index.seek(Table.POSITION, key(position));
      boolean hasPrevious = more ? index.previous(Table.POSITION) : index.last(Table.POSITION);
      return hasPrevious ? Position.between(positionIn(Table.POSITION), position) : position;
    }

    /**
     * Walks a range. Events are read one by one only in blocks that have events of the kinds, and
     * of these in the ones that an end of the range cuts or that have more than {@code maxWhole}.
     */
    private void walk(Position from, Position to, long maxWhole, Visitor visitor) {
      if (from.createdAt() >= EventStore.TIMESTAMP_BOUND) {
        return; // no event can be there
      }
      Position end = to.createdAt() >= EventStore.TIMESTAMP_BOUND ? Position.INFINITY : to;
      boolean wantsMore = true;
      Position start = seekBlock(from) ? positionIn(Table.ID_SUM) : Position.INFINITY;
      while (wantsMore && start.compareTo(end) < 0) {
        examined++;
        IdSum sum = KindSums.sum(index.value(Table.ID_SUM), kinds);
        Position next = index.next(Table.ID_SUM) ? positionIn(Table.ID_SUM) : Position.INFINITY;
        boolean isInside = start.compareTo(from) >= 0 && next.compareTo(end) <= 0;
        if (sum.count() > 0 && isInside && sum.count() <= maxWhole) {
          visitor.block(start, sum);
        } else if (sum.count() > 0) {
          Position first = start.compareTo(from) >= 0 ? start : from;
          wantsMore = readEvents(first, next.compareTo(end) < 0 ? next : end, visitor);
        }
        start = next;
      }
    }

    /** Moves to the block of a position, or to the first one after it. */
    private boolean seekBlock(Position position) {
      boolean more = index.seek(Table.ID_SUM, key(position));
      if (more && positionIn(Table.ID_SUM).equals(position)) {
        return true;
      }
      return (more ? index.previous(Table.ID_SUM) : index.last(Table.ID_SUM))
          || index.seek(Table.ID_SUM, key(position));
    }

    /** The position that is the key at a table's cursor. */
    private Position positionIn(Table table) {
      ByteBuffer key = index.key(table);
      return new Position(IndexKeys.seconds(key), IdSumUpdate.idAt(key));
    }

    private boolean readEvents(Position from, Position to, Visitor visitor) {
      boolean more = index.seek(Table.POSITION, key(from));
      while (more) {
        Position item = positionIn(Table.POSITION);
        if (to.compareTo(item) <= 0) {
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

    private ByteBuffer key(Position position) {
      return index.keys().positionKey(position.createdAt(), position.id());
    }
  }
}
