package gambit.core.store.disk.index;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one index transaction to the events in the order of NIP-77 ({@link
 * Table#POSITION}) and to the sums of their ids ({@link Table#ID_SUM}).
 *
 * <p>The positions are cut into blocks, each with the sums of its ids. A block that grows beyond
 * {@link #MAX_EVENTS} is split, a small one is joined with the block before it, and an empty one is
 * removed: the block before it then reaches further. The changes are applied at the end in the
 * order of positions, so that each block is read and written once; those of new events are nearly
 * always in the last block. One thread.
 */
public final class IdSumUpdate {
  /** Maximum number of events of a block. */
  static final int MAX_EVENTS = 512;

  /** The number of events with which blocks are made, so that they can grow before a split. */
  private static final int TYPICAL_EVENTS = 384;

  /** A block with fewer events is joined with the one before it, if that has room. */
  private static final int FEW_EVENTS = 128;

  public static final int POSITION_BYTES = 37;
  private static final byte[] FIRST_POSITION = new byte[POSITION_BYTES];

  private final IndexWriter index;
  private final List<Change> changes = new ArrayList<>();

  private record Change(long createdAt, EventId id, int kind, boolean isAddition) {
    static int comparePositions(Change a, Change b) {
      int order = Long.compare(a.createdAt, b.createdAt);
      return order != 0 ? order : a.id.compareTo(b.id);
    }
  }

  /** A block that is being changed: its first position, and that of the next one or null. */
  private static final class Block {
    final byte[] start;
    final @Nullable ByteBuffer end;
    final KindSums sums;

    Block(byte[] start, @Nullable ByteBuffer end, KindSums sums) {
      this.start = start;
      this.end = end;
      this.sums = sums;
    }

    boolean contains(ByteBuffer position) {
      return end == null || IndexKeys.compare(position, end) < 0;
    }
  }

  IdSumUpdate(IndexWriter index) {
    this.index = index;
  }

  /** The id in a position. */
  public static EventId idAt(ByteBuffer position) {
    int at = position.position() + 5;
    return EventId.ofWords(
        position.getLong(at),
        position.getLong(at + 8),
        position.getLong(at + 16),
        position.getLong(at + 24));
  }

  /** Adds an event. */
  void add(Event event) {
    changes.add(new Change(event.createdAt(), event.id(), event.kind(), true));
  }

  /** Removes an event. */
  void remove(Event event) {
    changes.add(new Change(event.createdAt(), event.id(), event.kind(), false));
  }

  /** Forgets the changes that were not applied. */
  void clear() {
    changes.clear();
  }

  /** Applies all changes to the tables. The sort is stable: changes of one event stay in order. */
  void apply() {
    changes.sort(Change::comparePositions);
    int from = 0;
    while (from < changes.size()) {
      Block block = blockOf(changes.get(from));
      int to = from;
      while (to < changes.size() && block.contains(position(changes.get(to)))) {
        to = apply(to, block.sums);
      }
      for (int i = from; i < to; i++) {
        putPosition(changes.get(i));
      }
      write(block);
      from = to;
    }
    changes.clear();
  }

  /**
   * Applies the changes of one event to the sums; returns the index of the next event's. An event
   * counts once, also when it is stored again because its first record is damaged: the index keeps
   * the entries of that one.
   */
  private int apply(int first, KindSums sums) {
    Change change = changes.get(first);
    boolean isStored = index.get(Table.POSITION, position(change)) != null;
    int i = first;
    do {
      change = changes.get(i++);
      if (change.isAddition && !isStored) {
        sums.add(change.kind, change.id);
      } else if (!change.isAddition && isStored) {
        sums.remove(change.kind, change.id);
      }
      isStored = change.isAddition;
    } while (i < changes.size() && Change.comparePositions(changes.get(i), change) == 0);
    return i;
  }

  private void putPosition(Change change) {
    if (change.isAddition) {
      index.put(Table.POSITION, position(change), index.keys().kindValue(change.kind));
    } else {
      index.delete(Table.POSITION, position(change));
    }
  }

  private ByteBuffer position(Change change) {
    return index.keys().positionKey(change.createdAt, change.id);
  }

  /** The block in whose range an event is; an empty one if there is none. */
  private Block blockOf(Change change) {
    ByteBuffer position = position(change);
    boolean more = index.seek(Table.ID_SUM, position);
    if (more && IndexKeys.compare(index.key(Table.ID_SUM), position) == 0) {
      byte[] start = keyBytes(Table.ID_SUM);
      KindSums sums = KindSums.read(index.value(Table.ID_SUM));
      return new Block(start, index.next(Table.ID_SUM) ? keyCopy(Table.ID_SUM) : null, sums);
    }
    ByteBuffer end = more ? keyCopy(Table.ID_SUM) : null;
    return moveToPrevious(more)
        ? new Block(keyBytes(Table.ID_SUM), end, KindSums.read(index.value(Table.ID_SUM)))
        : new Block(FIRST_POSITION, end, new KindSums());
  }

  /**
   * Moves from the place of a search to the block before it; returns false if there is none.
   *
   * @param more whether the search has found a block
   */
  private boolean moveToPrevious(boolean more) {
    return more ? index.previous(Table.ID_SUM) : index.last(Table.ID_SUM);
  }

  private byte[] keyBytes(Table table) {
    return IndexKeys.bytes(index.key(table));
  }

  private ByteBuffer keyCopy(Table table) {
    return ByteBuffer.wrap(keyBytes(table));
  }

  private void write(Block block) {
    int count = block.sums.count();
    if (count > MAX_EVENTS) {
      split(block);
    } else if (count == 0) {
      delete(block.start);
    } else if (count >= FEW_EVENTS || !isJoinedWithPrevious(block)) {
      put(block.start, block.sums);
    }
  }

  private void put(byte[] start, KindSums sums) {
    index.put(Table.ID_SUM, index.keys().copyOf(start), sums.value());
  }

  private void delete(byte[] start) {
    index.delete(Table.ID_SUM, index.keys().copyOf(start));
  }

  private boolean isJoinedWithPrevious(Block block) {
    if (Arrays.equals(block.start, FIRST_POSITION)) {
      return false;
    }
    if (!moveToPrevious(index.seek(Table.ID_SUM, index.keys().copyOf(block.start)))) {
      return false;
    }
    byte[] start = keyBytes(Table.ID_SUM);
    KindSums sums = KindSums.read(index.value(Table.ID_SUM));
    if (sums.count() + block.sums.count() > TYPICAL_EVENTS) {
      return false;
    }
    sums.addAll(block.sums);
    put(start, sums);
    delete(block.start);
    return true;
  }

  /** Cuts a block into several. The last block of all is cut into full ones, since it grows on. */
  private void split(Block block) {
    int count = block.sums.count();
    int pieces = (count + TYPICAL_EVENTS - 1) / TYPICAL_EVENTS;
    int size = block.end == null ? TYPICAL_EVENTS : (count + pieces - 1) / pieces;
    byte[] start = block.start;
    KindSums sums = new KindSums();
    boolean more = index.seek(Table.POSITION, index.keys().copyOf(start));
    while (more && block.contains(index.key(Table.POSITION))) {
      if (sums.count() == size) {
        put(start, sums);
        start = keyBytes(Table.POSITION);
        sums = new KindSums();
      }
      ByteBuffer position = index.key(Table.POSITION);
      sums.add(IndexKeys.kind(index.value(Table.POSITION)), idAt(position));
      more = index.next(Table.POSITION);
    }
    put(start, sums);
  }
}
