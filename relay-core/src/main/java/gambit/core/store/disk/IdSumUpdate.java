package gambit.core.store.disk;

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
final class IdSumUpdate {
  /** Maximum number of events of a block. */
  static final int MAX_EVENTS = 512;

  /** The number of events with which blocks are made, so that they can grow before a split. */
  private static final int TYPICAL_EVENTS = 384;

  /** A block with fewer events is joined with the one before it, if that has room. */
  private static final int FEW_EVENTS = 128;

  static final int POSITION_BYTES = 37;
  private static final byte[] FIRST_POSITION = new byte[POSITION_BYTES];

  private final IndexWriter index;
  private final List<Change> changes = new ArrayList<>();
  private final ByteBuffer key = ByteBuffer.allocateDirect(POSITION_BYTES);
  private final ByteBuffer kindValue = ByteBuffer.allocateDirect(2);

  private static final class Change {
    final byte[] position;
    final long prefix; // of the position, with which most comparisons end
    final int kind;
    final boolean isAddition;

    Change(byte[] position, int kind, boolean isAddition) {
      this.position = position;
      this.prefix = ByteBuffer.wrap(position).getLong(0);
      this.kind = kind;
      this.isAddition = isAddition;
    }

    EventId id() {
      return idAt(ByteBuffer.wrap(position));
    }

    static int comparePositions(Change a, Change b) {
      return a.prefix != b.prefix
          ? Long.compareUnsigned(a.prefix, b.prefix)
          : Arrays.compareUnsigned(a.position, b.position);
    }
  }

  /** A block that is being changed: its first position, and that of the next one or null. */
  private static final class Block {
    final byte[] start;
    final byte @Nullable [] end;
    final KindSums sums;

    Block(byte[] start, byte @Nullable [] end, KindSums sums) {
      this.start = start;
      this.end = end;
      this.sums = sums;
    }

    boolean contains(byte[] position) {
      return end == null || Arrays.compareUnsigned(position, end) < 0;
    }
  }

  IdSumUpdate(IndexWriter index) {
    this.index = index;
  }

  /** The id in a position. */
  static EventId idAt(ByteBuffer position) {
    int at = position.position() + 5;
    return EventId.ofWords(
        position.getLong(at),
        position.getLong(at + 8),
        position.getLong(at + 16),
        position.getLong(at + 24));
  }

  /** Adds an event. */
  void add(ByteBuffer position, ByteBuffer kind) {
    changes.add(new Change(copy(position), IndexKeys.kind(kind), true));
  }

  /** Removes an event. */
  void remove(ByteBuffer position, ByteBuffer kind) {
    changes.add(new Change(copy(position), IndexKeys.kind(kind), false));
  }

  private static byte[] copy(ByteBuffer from) {
    return IndexKeys.bytes(from.duplicate());
  }

  /** Applies all changes to the tables. The sort is stable: changes of one event stay in order. */
  void apply() {
    changes.sort(Change::comparePositions);
    int from = 0;
    while (from < changes.size()) {
      Block block = blockOf(changes.get(from).position);
      int to = from;
      while (to < changes.size() && block.contains(changes.get(to).position)) {
        to = apply(to, block.sums);
      }
      changes.subList(from, to).forEach(this::putPosition);
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
    byte[] position = changes.get(first).position;
    boolean isStored = index.get(Table.POSITION, keyOf(position)) != null;
    int i = first;
    do {
      Change change = changes.get(i++);
      if (change.isAddition && !isStored) {
        sums.add(change.kind, change.id());
      } else if (!change.isAddition && isStored) {
        sums.remove(change.kind, change.id());
      }
      isStored = change.isAddition;
    } while (i < changes.size() && Arrays.equals(changes.get(i).position, position));
    return i;
  }

  private void putPosition(Change change) {
    if (change.isAddition) {
      index.put(Table.POSITION, keyOf(change.position), kindValue.putShort(0, (short) change.kind));
    } else {
      index.delete(Table.POSITION, keyOf(change.position));
    }
  }

  private ByteBuffer keyOf(byte[] position) {
    return key.clear().put(position).flip();
  }

  /** The block in whose range the position is; an empty one if there is none. */
  private Block blockOf(byte[] position) {
    boolean more = index.seek(Table.ID_SUM, keyOf(position));
    byte[] end = null;
    if (!more || !Arrays.equals(copy(index.key(Table.ID_SUM)), position)) {
      end = more ? copy(index.key(Table.ID_SUM)) : null;
      if (!(more ? index.previous(Table.ID_SUM) : index.last(Table.ID_SUM))) {
        return new Block(FIRST_POSITION, end, new KindSums());
      }
    }
    byte[] start = copy(index.key(Table.ID_SUM));
    KindSums sums = KindSums.read(index.value(Table.ID_SUM));
    return new Block(start, end != null ? end : nextStart(), sums);
  }

  private byte @Nullable [] nextStart() {
    return index.next(Table.ID_SUM) ? copy(index.key(Table.ID_SUM)) : null;
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
    index.put(Table.ID_SUM, keyOf(start), sums.toBuffer());
  }

  private void delete(byte[] start) {
    index.delete(Table.ID_SUM, keyOf(start));
  }

  private boolean isJoinedWithPrevious(Block block) {
    if (Arrays.equals(block.start, FIRST_POSITION)) {
      return false;
    }
    boolean more = index.seek(Table.ID_SUM, keyOf(block.start));
    if (!(more ? index.previous(Table.ID_SUM) : index.last(Table.ID_SUM))) {
      return false;
    }
    byte[] start = copy(index.key(Table.ID_SUM));
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
    boolean more = index.seek(Table.POSITION, keyOf(start));
    while (more && block.contains(copy(index.key(Table.POSITION)))) {
      if (sums.count() == size) {
        put(start, sums);
        start = copy(index.key(Table.POSITION));
        sums = new KindSums();
      }
      sums.add(IndexKeys.kind(index.value(Table.POSITION)), idAt(index.key(Table.POSITION)));
      more = index.next(Table.POSITION);
    }
    put(start, sums);
  }
}
