package gambit.app.command.transfer;

import gambit.app.common.OutputFile;
import io.airlift.compress.zstd.ZstdInputStream;
import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A file of events, compressed with gzip or Zstandard if its name ends with {@code .gz} or {@code
 * .zst}; or standard input or output.
 *
 * @param name {@code -} for standard input or output
 */
public record EventFile(String name) {
  private static final int BUFFER_BYTES = 1 << 18;

  public boolean isStandardStream() {
    return name.equals("-");
  }

  private Path path() {
    return Path.of(name);
  }

  public long bytes() throws IOException {
    return isStandardStream() ? 0 : Files.size(path());
  }

  public InputStream open(AtomicLong read) throws IOException {
    InputStream file = isStandardStream() ? System.in : Files.newInputStream(path());
    try {
      return decompress(new CountingStream(file, read));
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  private InputStream decompress(InputStream in) throws IOException {
    if (name.endsWith(".gz")) {
      return new GZIPInputStream(in, BUFFER_BYTES);
    }
    return name.endsWith(".zst") ? new ZstdStream(in) : in;
  }

  /** Begins to write the file, as an {@link OutputFile}, since it may have private messages. */
  Output create() throws IOException {
    return isStandardStream()
        ? new Output(new FileOutputStream(FileDescriptor.out), null) // System.out hides errors
        : create(path());
  }

  Output create(Path path) throws IOException {
    OutputFile file = OutputFile.create(path);
    try {
      return new Output(compress(file.stream()), file);
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  private OutputStream compress(OutputStream out) throws IOException {
    if (name.endsWith(".gz")) {
      return new GZIPOutputStream(out, BUFFER_BYTES);
    }
    return name.endsWith(".zst") ? new ZstdOutputStream(out) : out;
  }

  /** A file that is being written. One thread. */
  static final class Output implements AutoCloseable {
    private final OutputStream out;
    private final @Nullable OutputFile file; // null for standard output

    private Output(OutputStream out, @Nullable OutputFile file) {
      this.out = new BufferedOutputStream(out, BUFFER_BYTES);
      this.file = file;
    }

    void writeLine(byte[] line) throws IOException {
      out.write(line);
      out.write('\n');
    }

    /** The file is complete: syncs it, and gives it its name. */
    void complete() throws IOException {
      if (file == null) {
        out.flush();
        return;
      }
      out.close();
      file.complete();
    }

    @Override
    public void close() throws IOException {
      if (file != null) {
        file.close();
      }
    }
  }

  /** Reads Zstandard; the library's own exceptions for damaged data are no {@link IOException}s. */
  private static final class ZstdStream extends FilterInputStream {
    private ZstdStream(InputStream in) throws IOException {
      super(new ZstdInputStream(in));
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      try {
        return super.read(bytes, offset, length);
      } catch (RuntimeException e) {
        throw new IOException("not Zstandard, or damaged: " + e.getMessage(), e);
      }
    }
  }

  private static final class CountingStream extends FilterInputStream {
    private final AtomicLong read;

    private CountingStream(InputStream in, AtomicLong read) {
      super(in);
      this.read = read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = super.read(bytes, offset, length);
      read.addAndGet(Math.max(0, count));
      return count;
    }
  }
}
