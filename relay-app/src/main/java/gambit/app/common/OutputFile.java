package gambit.app.common;

import gambit.core.files.Directories;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A file that the program writes as a whole. Until it is complete and synced, it is beside the file
 * that it replaces, with a name of its own that ends with {@code .part}; only its owner may read
 * it. Links are followed. A pipe, a device and a file that is open already, such as {@code
 * /dev/stdout}, are not replaced but written through. One thread.
 */
public final class OutputFile implements AutoCloseable {
  private static final int MAX_LINKS = 40;

  private static final String OPEN_FILES = "/dev/(fd/.*|stdin|stdout|stderr)|/proc/.*";

  private final Path file;
  private final @Nullable Path part; // null if it is written through
  private final FileChannel channel;
  private final OutputStream stream;

  private OutputFile(Path file, @Nullable Path part, FileChannel channel) {
    this.file = file;
    this.part = part;
    this.channel = channel;
    this.stream = Channels.newOutputStream(channel);
  }

  /** Begins to write a file, which is no directory. Opening a pipe waits for its reader. */
  public static OutputFile create(Path path) throws IOException {
    boolean isRegular = Files.isRegularFile(path);
    if (Files.isDirectory(path)) {
      throw new FileSystemException(path.toString(), null, "it is a directory");
    } else if (isRegular && path.toString().matches(OPEN_FILES)) {
      return new OutputFile(path, null, FileChannel.open(path, StandardOpenOption.APPEND));
    } else if (!isRegular && Files.exists(path)) {
      return new OutputFile(path, null, FileChannel.open(path, StandardOpenOption.WRITE));
    }
    Path file = target(path);
    String random = Integer.toHexString(ThreadLocalRandom.current().nextInt());
    Path part = file.resolveSibling(file.getFileName() + "." + random + ".part");
    return new OutputFile(file, part, PrivateFile.open(part));
  }

  /** The file to which a chain of links leads, whether it exists or not. */
  private static Path target(Path path) throws IOException {
    Path file = path.toAbsolutePath();
    for (int links = 0; Files.isSymbolicLink(file); links++) {
      if (links == MAX_LINKS) {
        throw new FileSystemException(path.toString(), null, "too many links");
      }
      file = file.resolveSibling(Files.readSymbolicLink(file));
    }
    return file;
  }

  public static void write(Path path, String text) throws IOException {
    try (OutputFile out = create(path)) {
      out.stream().write(text.getBytes(StandardCharsets.UTF_8));
      out.complete();
    }
  }

  public OutputStream stream() {
    return stream;
  }

  /** All bytes are written: syncs the file, and gives it its name. */
  public void complete() throws IOException {
    if (part != null) {
      try (FileChannel written = FileChannel.open(part, StandardOpenOption.WRITE)) {
        written.force(true); // the stream may be closed
      }
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      Directories.syncParent(file);
    }
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      if (part != null) {
        Files.deleteIfExists(part);
      }
    }
  }
}
