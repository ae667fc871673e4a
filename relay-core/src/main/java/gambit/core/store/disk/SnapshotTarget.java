package gambit.core.store.disk;

import gambit.core.files.Directories;
import gambit.core.model.Sha256;
import gambit.core.store.disk.BackupManifest.Copy;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A directory in which a store is made from a snapshot. Files that are complete stay there when a
 * download breaks, and are used for the next one, also of a later snapshot. One thread.
 *
 * <pre>
 * HASH           a complete file, with the hash of its content
 * HASH.part      one that is being written
 * store          the store, once all files are there
 * </pre>
 */
public final class SnapshotTarget {
  private static final String PART = ".part";

  private final Path directory;
  private final BackupManifest list;

  /** Begins or continues; deletes files that this snapshot does not have. */
  public SnapshotTarget(Path directory, BackupManifest list) throws IOException {
    this.directory = directory;
    this.list = list;
    Directories.createPrivate(directory);
    Set<String> wanted = list.files().stream().map(Copy::sha256).collect(Collectors.toSet());
    try (Stream<Path> found = Files.list(directory)) {
      for (Path each : found.toList()) {
        if (!wanted.contains(each.getFileName().toString())) {
          Directories.delete(each);
        }
      }
    }
  }

  public List<Copy> missing() {
    return list.files().stream()
        .filter(it -> Files.notExists(directory.resolve(it.sha256())))
        .toList();
  }

  @FunctionalInterface
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Receives a file, and syncs it; one that is not that of the list is deleted and refused. */
  public void receive(Copy file, Content content) throws IOException {
    Path part = directory.resolve(file.sha256() + PART);
    Files.deleteIfExists(part);
    boolean isComplete = false;
    try (FileChannel channel =
        Directories.openPrivate(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      DigestOutputStream out =
          new DigestOutputStream(
              new BoundedOutput(Channels.newOutputStream(channel), file.length()), Sha256.digest());
      content.writeTo(out);
      String hash = HexFormat.of().formatHex(out.getMessageDigest().digest());
      if (channel.size() != file.length() || !hash.equals(file.sha256())) {
        throw new IOException("the content of " + file.name() + " is not that of the snapshot");
      }
      channel.force(true);
      isComplete = true;
    } finally {
      if (!isComplete) {
        Files.deleteIfExists(part);
      }
    }
    Files.move(part, directory.resolve(file.sha256()), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Fails before it writes more bytes than the list says, so that no sender fills the disk. */
  private static final class BoundedOutput extends FilterOutputStream {
    private long left;

    BoundedOutput(OutputStream out, long length) {
      super(out);
      this.left = length;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      left -= length;
      if (left < 0) {
        throw new IOException("the file is longer than the snapshot says");
      }
      out.write(bytes, from, length);
    }
  }

  /**
   * Makes the store from the files, which all are there; returns its directory, complete and
   * synced. It ends with a new segment, as a restored one does.
   */
  public Path finish() throws IOException {
    Path store = directory.resolve("store");
    Path log = store.resolve("log");
    Directories.createPrivate(log);
    for (Copy file : list.files()) {
      Files.move(directory.resolve(file.sha256()), log.resolve(file.name()));
    }
    StoreRestore.completeStore(store, list);
    Directories.syncParent(store);
    return store;
  }
}
