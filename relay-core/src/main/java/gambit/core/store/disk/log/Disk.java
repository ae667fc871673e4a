package gambit.core.store.disk.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The directory of the log's files: everything that the log needs from the operating system. Tests
 * replace it with one that loses unsynced writes.
 */
public interface Disk {
  List<String> names() throws IOException;

  /** Creates a sparse file of {@code size} zeros. */
  File create(String name, long size) throws IOException;

  File open(String name) throws IOException;

  /** Renames a file and replaces any file with the new name; open files stay open. */
  void rename(String from, String to) throws IOException;

  /** Deletes the name; an open file stays readable. */
  void delete(String name) throws IOException;

  /** Makes created, renamed and deleted names durable. */
  void sync() throws IOException;

  long usableBytes() throws IOException;

  /** Reads that many bytes into a buffer and flips it; false if the file is too short. */
  static boolean read(File file, ByteBuffer into, long from, int length) throws IOException {
    into.clear().limit(length);
    while (into.hasRemaining()) {
      if (file.read(into, from + into.position()) < 0) {
        return false;
      }
    }
    into.flip();
    return true;
  }

  interface File extends AutoCloseable {
    long size() throws IOException;

    /** Extends the file sparsely with zeros, or truncates it. */
    void resize(long size) throws IOException;

    /**
     * Reads at most the remaining bytes of the buffer; returns their number, or -1 at the end of
     * the file. Unlike a read of {@link #view}, it reports a failing disk with an exception.
     */
    int read(ByteBuffer to, long at) throws IOException;

    void write(ByteBuffer from, long at) throws IOException;

    /** Makes the written bytes durable (fdatasync). */
    void sync() throws IOException;

    /**
     * The whole file, including later writes. It must not be read beyond the end of a truncated
     * file, nor after {@link #close}.
     */
    ByteBuffer view() throws IOException;

    @Override
    void close();
  }
}
