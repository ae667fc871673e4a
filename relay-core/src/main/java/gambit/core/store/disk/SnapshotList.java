package gambit.core.store.disk;

import gambit.core.store.disk.backup.BackupManifest;
import gambit.core.store.disk.log.StoreFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** The list of a snapshot's files, with its place in the log. Immutable. */
public final class SnapshotList {
  private final BackupManifest manifest;

  /**
   * A file of the log.
   *
   * @param sha256 of its content, in lower-case hex, by which files are recognized as the same
   */
  public record File(String name, long length, String sha256) {}

  SnapshotList(BackupManifest manifest) {
    this.manifest = manifest;
  }

  /**
   * Reads a list.
   *
   * @throws IOException when it is damaged, or of a newer version
   */
  public static SnapshotList parse(byte[] text) throws IOException {
    BackupManifest manifest = BackupManifest.parse(new String(text, StandardCharsets.UTF_8));
    if (manifest.segments().size() < manifest.files().size() || manifest.segments().isEmpty()) {
      throw new IOException("the snapshot has other files than those of a log");
    }
    return new SnapshotList(manifest);
  }

  /** The encoding, lines of text with a checksum. */
  public byte[] encode() {
    ByteBuffer text = manifest.encode();
    byte[] bytes = new byte[text.remaining()];
    text.get(bytes);
    return bytes;
  }

  /**
   * Checks that this program knows the format of the store.
   *
   * @throws IOException when the format is unknown
   */
  public void requireKnownFormat() throws IOException {
    StoreFormat.requireKnown("the list of the snapshot", manifest.format());
  }

  /** The number of the newest group that is in the files. */
  public long sequence() {
    return manifest.nextSequence() - 1;
  }

  /** When it was made. */
  public Instant time() {
    return manifest.time();
  }

  /** The files, in the order of the log. */
  public List<File> files() {
    return manifest.segments().stream()
        .map(it -> new File(it.name(), it.length(), it.sha256()))
        .toList();
  }

  /** The size of all files. */
  public long bytes() {
    return manifest.totalBytes();
  }

  BackupManifest manifest() {
    return manifest;
  }
}
