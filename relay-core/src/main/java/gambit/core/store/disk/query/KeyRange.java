package gambit.core.store.disk.query;

import org.jspecify.annotations.Nullable;

/**
 * The entries of a table whose keys have one prefix: the first one that is not taken, called its
 * head, and some that follow it, read in advance while the cursor was there. One thread.
 */
final class KeyRange implements Comparable<KeyRange> {
  private static final int MAX_AHEAD = 16;

  private static final int ENTRY_LONGS = 3;
  private static final long[] NOTHING = {};

  final byte[] prefix;
  private long createdAt;
  private long id48;
  private long offset;
  private int kind;
  private @Nullable Object readBy; // the page that has read the head
  private long[] ahead = NOTHING;
  private int aheadAt;
  private int aheadEnd;
  private int wantedAhead; // each time that the cursor returns to this range, more are read
  private boolean isAtEnd; // whether no entry follows those read

  KeyRange(byte[] prefix) {
    this.prefix = prefix;
  }

  long createdAt() {
    return createdAt;
  }

  long id48() {
    return id48;
  }

  long offset() {
    return offset;
  }

  int kind() {
    return kind;
  }

  boolean isReadBy(Object page) {
    return readBy == page;
  }

  boolean isAtEnd() {
    return isAtEnd;
  }

  void setAtEnd() {
    isAtEnd = true;
  }

  /** Sets the head that a page has read, and forgets what was read in advance. */
  void setHead(long newCreatedAt, long newId48, long newOffset, int newKind, Object page) {
    createdAt = newCreatedAt;
    id48 = newId48;
    offset = newOffset;
    kind = newKind;
    readBy = page;
    aheadAt = 0;
    aheadEnd = 0;
    isAtEnd = false;
  }

  /** The number of entries to read in advance: none at first, later twice as many each time. */
  int nextAhead() {
    int now = wantedAhead;
    wantedAhead = Math.min(MAX_AHEAD, Math.max(1, 2 * now));
    return now;
  }

  void addAhead(long nextCreatedAt, long nextId48, long nextOffset, int nextKind) {
    if (ahead.length < wantedAhead * ENTRY_LONGS) {
      ahead = new long[wantedAhead * ENTRY_LONGS];
    }
    ahead[aheadEnd] = nextCreatedAt;
    ahead[aheadEnd + 1] = nextId48;
    ahead[aheadEnd + 2] = nextOffset << Short.SIZE | nextKind;
    aheadEnd += ENTRY_LONGS;
  }

  /** Makes the next entry that was read in advance the head; returns false if there is none. */
  boolean takeAhead() {
    if (aheadAt == aheadEnd) {
      return false;
    }
    createdAt = ahead[aheadAt];
    id48 = ahead[aheadAt + 1];
    offset = ahead[aheadAt + 2] >>> Short.SIZE;
    kind = (int) ahead[aheadAt + 2] & 0xffff;
    aheadAt += ENTRY_LONGS;
    return true;
  }

  /** Whether the head has the same place in serving order, as far as the index knows. */
  boolean isTiedWith(long otherCreatedAt, long otherId48) {
    return createdAt == otherCreatedAt && id48 == otherId48;
  }

  /** Compares the places of the heads in serving order. */
  @Override
  public int compareTo(KeyRange other) {
    if (createdAt != other.createdAt) {
      return createdAt > other.createdAt ? -1 : 1;
    }
    return id48 != other.id48 ? Long.compare(id48, other.id48) : Long.compare(offset, other.offset);
  }
}
