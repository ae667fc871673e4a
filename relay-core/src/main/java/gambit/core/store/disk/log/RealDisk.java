package gambit.core.store.disk.log;

import gambit.core.files.Directories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A directory of the file system. Files are read through memory mappings. */
public final class RealDisk implements Disk {
  private static final Logger LOG = LoggerFactory.getLogger(RealDisk.class);

  private final Path directory;
  private final boolean isReadOnly;
  private final FileStore fileStore;

  /** Creates the directory if it does not exist. Only the owner may read it and new files. */
  public RealDisk(Path directory) throws IOException {
    this(directory, false);
  }

  /** An existing directory whose files are only read. */
  public static RealDisk readOnly(Path directory) throws IOException {
    return new RealDisk(directory, true);
  }

  private RealDisk(Path directory, boolean isReadOnly) throws IOException {
    this.directory = directory;
    this.isReadOnly = isReadOnly;
    if (!isReadOnly) {
      Directories.createPrivate(directory);
      Directories.syncParent(directory); // a killed process may have created it only
    }
    this.fileStore = Files.getFileStore(directory);
  }

  @Override
  public List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Override
  public File create(String name, long size) throws IOException {
    Path path = directory.resolve(name);
    Files.deleteIfExists(path);
    RealFile file =
        new RealFile(
            Directories.openPrivate(
                path,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE));
    try {
      file.resize(size);
      return file;
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  @Override
  public File open(String name) throws IOException {
    Path path = directory.resolve(name);
    return new RealFile(
        isReadOnly
            ? FileChannel.open(path, StandardOpenOption.READ)
            : FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(String name) throws IOException {
    Files.deleteIfExists(directory.resolve(name));
  }

  @Override
  public void sync() throws IOException {
    Directories.sync(directory);
  }

  @Override
  public long usableBytes() throws IOException {
    return fileStore.getUsableSpace();
  }

  private static final class RealFile implements File {
    private final FileChannel channel;
    private @Nullable MappedByteBuffer view;

    RealFile(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void resize(long size) throws IOException {
      if (size < channel.size()) {
        channel.truncate(size);
      } else if (size > channel.size()) {
        channel.write(ByteBuffer.allocate(1), size - 1);
      }
    }

    @Override
    public int read(ByteBuffer to, long at) throws IOException {
      return channel.read(to, at);
    }

    @Override
    public void write(ByteBuffer from, long at) throws IOException {
      long to = at;
      while (from.hasRemaining()) {
        to += channel.write(from, to);
      }
    }

    @Override
    public void sync() throws IOException {
      channel.force(false);
    }

    @Override
    public ByteBuffer view() throws IOException {
      if (view == null) {
        view = channel.map(MapMode.READ_ONLY, 0, channel.size());
      }
      return view;
    }

    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (view != null) {
        unmap(view);
        view = null;
      }
    }
  }

  /**
   * Unmaps a file at once. Without it, a deleted file occupies its space until the mapping is
   * garbage collected.
   */
  private static void unmap(MappedByteBuffer view) {
    try {
      Class<?> unsafe = Class.forName("sun.misc.Unsafe");
      Field instance = unsafe.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      unsafe.getMethod("invokeCleaner", ByteBuffer.class).invoke(instance.get(null), view);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("A deleted log file occupies space until it is garbage collected", e);
    }
  }
}
