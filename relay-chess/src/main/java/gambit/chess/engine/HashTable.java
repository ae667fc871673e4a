package gambit.chess.engine;

import java.util.Arrays;

/**
 * Results of searches by the key of the position. The size is fixed; a newer result replaces an
 * older one in its place. Used by one thread.
 */
final class HashTable {
  /** The score of the position is exactly that, at least that, or at most that. */
  static final int EXACT = 1;

  static final int AT_LEAST = 2;
  static final int AT_MOST = 3;

  /** No entry: the bound of every entry is positive, so no entry is 0. */
  static final long NONE = 0;

  private final long[] keys;
  private final long[] entries;

  /** A table with 2<sup>bits</sup> entries of 16 bytes. */
  HashTable(int bits) {
    keys = new long[1 << bits];
    entries = new long[1 << bits];
  }

  void clear() {
    Arrays.fill(entries, NONE);
  }

  long find(long key) {
    int place = place(key);
    return keys[place] == key ? entries[place] : NONE;
  }

  /** Stores a result; the best move is a {@link MoveOrder#code}, or 0 if there is none. */
  void put(long key, int move, int score, int depth, int bound) {
    int place = place(key);
    keys[place] = key;
    entries[place] =
        (long) score << 32 | (long) (depth & 0xff) << 24 | (long) bound << 16 | (move & 0xffff);
  }

  private int place(long key) {
    return (int) (key ^ key >>> 32) & keys.length - 1;
  }

  static int move(long entry) {
    return (int) (entry & 0xffff);
  }

  static int bound(long entry) {
    return (int) (entry >>> 16 & 0xff);
  }

  static int depth(long entry) {
    return (int) (entry >>> 24 & 0xff);
  }

  static int score(long entry) {
    return (int) (entry >> 32);
  }
}
