package gambit.core.store.disk.lmdb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * The key and the value that are given to LMDB or that it returns: two structs {@code MDB_val}, and
 * room for a key. One thread.
 *
 * <pre>
 * length of the key 8 · its address 8 · length of the value 8 · its address 8 · a key
 * </pre>
 */
final class LmdbEntry {
  private static final int KEY_LENGTH = 0; // the longs of the structs
  private static final int KEY_ADDRESS = 1;
  private static final int VALUE_LENGTH = 2;
  private static final int VALUE_ADDRESS = 3;
  private static final int VALUE_AT = 16;
  private static final int KEY_BYTES_AT = 32;
  private static final int MAX_KEY_BYTES = 511;
  private static final int BAD_VALUE_SIZE = -30781;

  private final NativeBuffer memory = new NativeBuffer(KEY_BYTES_AT + MAX_KEY_BYTES);
  private final LongBuffer structs = memory.bytes().order(ByteOrder.nativeOrder()).asLongBuffer();
  private final MapWindow keyWindow = new MapWindow();
  private final MapWindow valueWindow = new MapWindow();

  /** The address of the struct of the key. */
  long key() {
    return memory.address();
  }

  /** The address of the struct of the value. */
  long value() {
    return memory.address() + VALUE_AT;
  }

  /** Gives a key to LMDB, in a copy. */
  void setKey(ByteBuffer key) {
    int length = key.remaining();
    if (length > MAX_KEY_BYTES) {
      throw Lmdb.error(BAD_VALUE_SIZE);
    }
    memory.bytes().put(KEY_BYTES_AT, key, key.position(), length);
    structs.put(KEY_LENGTH, length);
    structs.put(KEY_ADDRESS, memory.address() + KEY_BYTES_AT);
  }

  /** Gives a key and a value to LMDB, which must stay reachable during the call. */
  void set(NativeBuffer key, NativeBuffer value) {
    structs.put(KEY_LENGTH, key.bytes().limit());
    structs.put(KEY_ADDRESS, key.address());
    structs.put(VALUE_LENGTH, value.bytes().limit());
    structs.put(VALUE_ADDRESS, value.address());
  }

  /** The key that LMDB has returned, in its map; valid until the next call. */
  ByteBuffer returnedKey() {
    return keyWindow.at(structs.get(KEY_ADDRESS), structs.get(KEY_LENGTH));
  }

  /** The value that LMDB has returned, in its map; valid until the next call. */
  ByteBuffer returnedValue() {
    return valueWindow.at(structs.get(VALUE_ADDRESS), structs.get(VALUE_LENGTH));
  }

  /** The first two bytes of the value that LMDB has returned, which has no fewer. */
  short returnedShort() {
    return valueWindow.shortAt(structs.get(VALUE_ADDRESS));
  }

  /**
   * A buffer that is moved over LMDB's map to show one entry's bytes without a copy. A buffer holds
   * less than 2 GB, so there is one for each gigabyte of the map that was shown; each reaches into
   * the next gigabyte, where an entry may end. One thread.
   */
  static final class MapWindow {
    private static final int STRIDE = 1 << 30;

    private ByteBuffer[] buffers = {};
    private long[] starts = {}; // the buffers' addresses
    private ByteBuffer current = ByteBuffer.allocateDirect(0);
    private long currentStart = -1;

    /** The bytes at an address, from the buffer's position to its limit, until the next call. */
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
}
