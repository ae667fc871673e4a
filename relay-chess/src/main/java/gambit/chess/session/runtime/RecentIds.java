package gambit.chess.session.runtime;

import gambit.core.model.EventId;
import java.util.Arrays;

/**
 * The event ids that were added last, up to a maximum. They are kept as numbers in arrays, which
 * grow to the maximum: thousands of objects that live for some seconds would be copied by every
 * young collection. One thread.
 */
final class RecentIds {
  private static final int FIRST_CAPACITY = 64;
  private static final int WORDS = 4;

  private final int max;
  private long[] words = {}; // of each place
  private int[] nextInBucket = {}; // for each place: the next place of its bucket, from 1, or 0
  private int[] buckets = new int[1]; // the first place of each, from 1, or 0; a power of two
  private int size;
  private int next; // the place for the next id, which is that of the oldest at the maximum

  RecentIds(int max) {
    this.max = max;
  }

  boolean contains(EventId id) {
    int at = buckets[bucket(id)];
    while (at > 0 && !isAt(at - 1, id)) {
      at = nextInBucket[at - 1];
    }
    return at > 0;
  }

  /** Adds an id that is not known yet, in place of the oldest one at the maximum. */
  void add(EventId id) {
    if (contains(id)) {
      return;
    }
    if (size == max) {
      unlink(next);
    } else {
      if (size == nextInBucket.length) {
        grow(Math.min(max, Math.max(FIRST_CAPACITY, 2 * size)));
      }
      size++;
    }
    for (int i = 0; i < WORDS; i++) {
      words[next * WORDS + i] = id.word(i);
    }
    link(next);
    next = (next + 1) % max;
  }

  private void grow(int capacity) {
    words = Arrays.copyOf(words, capacity * WORDS);
    nextInBucket = new int[capacity];
    buckets = new int[Integer.highestOneBit(capacity) * 2];
    for (int place = 0; place < size; place++) {
      link(place);
    }
  }

  private void link(int place) {
    int bucket = bucket(at(place));
    nextInBucket[place] = buckets[bucket];
    buckets[bucket] = place + 1;
  }

  private void unlink(int place) {
    int bucket = bucket(at(place));
    int before = buckets[bucket];
    if (before == place + 1) {
      buckets[bucket] = nextInBucket[place];
      return;
    }
    while (nextInBucket[before - 1] != place + 1) {
      before = nextInBucket[before - 1];
    }
    nextInBucket[before - 1] = nextInBucket[place];
  }

  /** The bucket of an id, whose hash nobody outside of this process can predict. */
  private int bucket(EventId id) {
    int hash = id.hashCode();
    return (hash ^ hash >>> 16) & (buckets.length - 1);
  }

  private EventId at(int place) {
    int from = place * WORDS;
    return EventId.ofWords(words[from], words[from + 1], words[from + 2], words[from + 3]);
  }

  private boolean isAt(int place, EventId id) {
    for (int i = 0; i < WORDS; i++) {
      if (words[place * WORDS + i] != id.word(i)) {
        return false;
      }
    }
    return true;
  }
}
