package gambit.core.store.disk.index;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PackedEvent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one index transaction to the events in the order of NIP-77 ({@link
 * Table#POSITION}) and to the sums of their ids ({@link Table#ID_SUM}).
 *
 * <p>The positions are cut into blocks, each with the sums of its ids. A block that grows beyond
 * {@link #MAX_EVENTS} is split, and an empty one is removed: the block before it then reaches
 * further. The changes are applied at the end in the order of positions, so that each block is read
 * and written once; those of new events are nearly always in the last block. One thread.
 */
public final class IdSumUpdate {
  static final int MAX_EVENTS = 512;

  /** The number of events with which blocks are made, so that they can grow before a split. */
  private static final int TYPICAL_EVENTS = 384;

  private static final int POSITION_BYTES = 37;
  private static final ByteBuffer FIRST_POSITION = ByteBuffer.allocate(POSITION_BYTES);

  private final IndexWriter index;
  private final List<Change> changes = new ArrayList<>();

  private record Change(Event event, boolean isAddition) {}

  /** A block that is being changed: its first position, and that of the next one or null. */
  private record Block(ByteBuffer start, @Nullable ByteBuffer end, KindSums sums) {
    boolean endsAfter(ByteBuffer position) {
      return end == null || IndexKeys.compare(position, end) < 0;
    }
  }

  IdSumUpdate(IndexWriter index) {
    this.index = index;
  }

  public static EventId idAt(ByteBuffer position) {
    return PackedEvent.id(position, position.position() + 5);
  }

  void add(Event event) {
    changes.add(new Change(event, true));
  }

  void remove(Event event) {
    changes.add(new Change(event, false));
  }

  void clear() {
    changes.clear();
  }

  /** Applies all changes to the tables. The sort is stable: changes of one event stay in order. */
  void apply() {
    changes.sort((a, b) -> comparePositions(a.event, b.event));
    Block block = null;
    for (Change change : changes) {
      if (block == null || !block.endsAfter(position(change.event))) {
        write(block);
        block = read(position(change.event));
      }
      apply(change, block.sums);
    }
    write(block);
    changes.clear();
  }

  private static int comparePositions(Event a, Event b) {
    int order = Long.compare(a.createdAt(), b.createdAt());
    return order != 0 ? order : a.id().compareTo(b.id());
  }

  /**
   * Applies a change. An event counts once, also when it is stored again because its first record
   * is damaged: the index keeps the entries of that one.
   */
  private void apply(Change change, KindSums sums) {
    Event event = change.event;
    if (change.isAddition == (index.get(Table.POSITION, position(event)) != null)) {
      return;
    }
    if (change.isAddition) {
      sums.add(event.kind(), event.id());
      index.put(Table.POSITION, position(event), index.keys().kindValue(event.kind()));
    } else {
      sums.remove(event.kind(), event.id());
      index.delete(Table.POSITION, position(event));
    }
  }

  private ByteBuffer position(Event event) {
    return index.keys().positionKey(event.createdAt(), event.id());
  }

  /** The block in whose range a position is; an empty one if there is none. */
  private Block read(ByteBuffer position) {
    boolean more = index.seek(Table.ID_SUM, position);
    if (more && IndexKeys.compare(index.key(Table.ID_SUM), position) == 0) {
      ByteBuffer start = keyCopy(Table.ID_SUM);
      KindSums sums = KindSums.read(index.value(Table.ID_SUM));
      return new Block(start, index.next(Table.ID_SUM) ? keyCopy(Table.ID_SUM) : null, sums);
    }
    ByteBuffer end = more ? keyCopy(Table.ID_SUM) : null;
    return (more ? index.previous(Table.ID_SUM) : index.last(Table.ID_SUM))
        ? new Block(keyCopy(Table.ID_SUM), end, KindSums.read(index.value(Table.ID_SUM)))
        : new Block(FIRST_POSITION, end, new KindSums());
  }

  private ByteBuffer keyCopy(Table table) {
    return ByteBuffer.wrap(IndexKeys.bytes(index.key(table)));
  }

  private void write(@Nullable Block block) {
    if (block == null) {
      return;
    }
    if (block.sums.count() > MAX_EVENTS) {
      split(block);
    } else if (block.sums.count() > 0) {
      put(block.start, block.sums);
    } else {
      index.delete(Table.ID_SUM, block.start);
    }
  }

  private void put(ByteBuffer start, KindSums sums) {
    index.put(Table.ID_SUM, start, sums.value());
  }

  /** Cuts a block into several. The last block of all is cut into full ones, since it grows on. */
  private void split(Block large) {
    int count = large.sums.count();
    int pieces = (count + TYPICAL_EVENTS - 1) / TYPICAL_EVENTS;
    int size = large.end == null ? TYPICAL_EVENTS : (count + pieces - 1) / pieces;
    ByteBuffer start = large.start;
    KindSums sums = new KindSums();
    boolean more = index.seek(Table.POSITION, index.keys().copyOf(IndexKeys.bytes(start)));
    while (more && large.endsAfter(index.key(Table.POSITION))) {
      if (sums.count() == size) {
        put(start, sums);
        start = keyCopy(Table.POSITION);
        sums = new KindSums();
      }
      ByteBuffer position = index.key(Table.POSITION);
      sums.add(IndexKeys.kind(index.value(Table.POSITION)), idAt(position));
      more = index.next(Table.POSITION);
    }
    put(start, sums);
  }
}
