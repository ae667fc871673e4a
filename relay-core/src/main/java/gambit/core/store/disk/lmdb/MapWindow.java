package gambit.core.store.disk.lmdb;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A buffer that is moved over LMDB's map to show one entry's bytes without a copy. A buffer holds
 * less than 2 GB, so there is one for each gigabyte of the map that was shown; each reaches into
 * the next gigabyte, where an entry may end. One thread.
 */
final class MapWindow {
  private static final int STRIDE = 1 << 30;

  private ByteBuffer[] buffers = {};
  private long[] starts = {}; // the buffers' addresses
  private ByteBuffer current = ByteBuffer.allocateDirect(0);
  private long currentStart = -1;

  /**
   * Some bytes at an address, until the next call: those from the buffer's position to its limit.
   */
  ByteBuffer at(long address, long length) {
    int from = placeOf(address);
    // Cleared first, or whether the position exceeds the limit would be different at each step.
    return current.clear().limit(from + (int) length).position(from);
  }

  /** The two bytes at an address. */
  short shortAt(long address) {
    int from = placeOf(address);
    return current.clear().getShort(from);
  }

  /** The place of an address in its buffer, which is the current one then. */
  private int placeOf(long address) {
    int from = (int) (address & (STRIDE - 1));
    if (address - from != currentStart) {
      currentStart = address - from;
      current = bufferAt(currentStart);
    }
    return from;
  }

  private ByteBuffer bufferAt(long start) {
    for (int i = 0; i < starts.length; i++) {
      if (starts[i] == start) {
        return buffers[i];
      }
    }
    return open(start);
  }

  private ByteBuffer open(long start) {
    int count = starts.length;
    buffers = Arrays.copyOf(buffers, count + 1);
    starts = Arrays.copyOf(starts, count + 1);
    buffers[count] = Lmdb.buffer(start, Integer.MAX_VALUE);
    starts[count] = start;
    return buffers[count];
  }
}
