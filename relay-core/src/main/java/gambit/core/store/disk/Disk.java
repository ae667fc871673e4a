package gambit.core.store.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The directory in which the log has its files: all that the log asks of the operating system, so
 * that tests can put one in its place that forgets what was not synced.
 */
interface Disk {
  /** The names in the directory, in no order. */
  List<String> names() throws IOException;

  /** Makes a file of so many zeros, for which no room is taken yet. */
  File create(String name, long size) throws IOException;

  /** Opens a file that is there. */
  File open(String name) throws IOException;

  /** Gives a file another name, in the place of any file that has it; open files stay open. */
  void rename(String from, String to) throws IOException;

  /** Takes the name away; an open file stays readable. */
  void delete(String name) throws IOException;

  /** Makes names durable: what was created, renamed and deleted. */
  void sync() throws IOException;

  /** How many bytes can still be written. */
  long usableBytes() throws IOException;

  /** One file. */
  interface File {
    long size() throws IOException;

    /** Makes the file longer, by zeros for which no room is taken, or shorter. */
    void resize(long size) throws IOException;

    /** Writes all that remains in the buffer. */
    void write(ByteBuffer from, long at) throws IOException;

    /** Makes durable what was written (fdatasync). */
    void sync() throws IOException;

    /**
     * The whole file, always as it was written last. Not to be read beyond the file's end, should
     * it become shorter, nor after {@link #close}.
     */
    ByteBuffer view() throws IOException;

    /** Lets go of the file and of its view. */
    void close();
  }
}
