package gambit.core.store.disk;

import gambit.core.model.Sha256;
import gambit.core.store.disk.log.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Reads and hashes files in portions, one file at a time. One thread. */
final class ContentReader {
  private static final int BUFFER_BYTES = 1 << 20;

  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

  interface Sink {
    /** Takes a portion that begins at that position of the file. */
    void take(ByteBuffer portion, long at) throws IOException;
  }

  /** Reads the first bytes of a file and returns their hash; null if the file has fewer. */
  @Nullable String read(Disk.File file, long length, Sink sink) throws IOException {
    MessageDigest digest = Sha256.digest();
    for (long at = 0; at < length; at += BUFFER_BYTES) {
      if (!Disk.read(file, buffer, at, (int) Math.min(BUFFER_BYTES, length - at))) {
        return null;
      }
      digest.update(buffer.duplicate());
      sink.take(buffer, at);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  static String hash(byte[] content) {
    return HexFormat.of().formatHex(Sha256.digest().digest(content));
  }
}
