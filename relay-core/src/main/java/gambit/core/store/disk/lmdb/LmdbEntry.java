package gambit.core.store.disk.lmdb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

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
}
