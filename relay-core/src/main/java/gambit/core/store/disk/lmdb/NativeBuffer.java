package gambit.core.store.disk.lmdb;

import java.nio.ByteBuffer;

/** A buffer outside Java's heap, with its address, so that LMDB reads it without a copy. */
public final class NativeBuffer {
  private final ByteBuffer bytes;
  private final long address;

  public NativeBuffer(int size) {
    bytes = ByteBuffer.allocateDirect(size);
    address = Lmdb.address(bytes);
  }

  static NativeBuffer copyOf(ByteBuffer from) {
    NativeBuffer copy = new NativeBuffer(from.remaining());
    copy.bytes.put(0, from, from.position(), from.remaining());
    return copy;
  }

  /** The buffer; LMDB reads the bytes up to its limit, whatever its position is. */
  public ByteBuffer bytes() {
    return bytes;
  }

  /** The address of the buffer's first byte, valid as long as this object is reachable. */
  long address() {
    return address;
  }
}
