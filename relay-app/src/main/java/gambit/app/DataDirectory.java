package gambit.app;

import gambit.app.operator.OperatorWords;
import gambit.core.crypto.Signer;
import gambit.core.model.Hex;
import gambit.core.store.disk.Directories;
import gambit.core.store.disk.DirectoryLock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/**
 * The directory that holds all the relay keeps, locked for this process: its secret key is in
 * {@code relay.key}, 64 hex digits that only the owner may read; the events are in {@code store}.
 */
final class DataDirectory implements AutoCloseable {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private final Path path;
  private final DirectoryLock lock;

  /**
   * Makes the directory if it is not there, and locks it.
   *
   * @throws CannotStart when it cannot be had
   */
  DataDirectory(Path given) throws CannotStart {
    if (given.toString().isBlank()) {
      throw new CannotStart("--data: the directory needs a name.");
    }
    this.path = given.toAbsolutePath().normalize();
    try {
      boolean isNew = Files.notExists(path);
      Files.createDirectories(path);
      if (isNew) {
        Directories.syncParent(path);
      }
      this.lock = new DirectoryLock(path, "gambit.lock");
    } catch (DirectoryLock.InUse e) {
      throw new CannotStart("--data: " + e.getMessage() + ".");
    } catch (IOException e) {
      throw new CannotStart("--data: cannot use " + path + ": " + OperatorWords.of(e) + ".");
    }
  }

  Path path() {
    return path;
  }

  /** Where the relay's key is kept. */
  Path keyFile() {
    return path.resolve("relay.key");
  }

  /**
   * The relay's key, if there is one.
   *
   * @throws CannotStart when there is a key file that is not a key or that others can read; it is
   *     never replaced
   */
  Optional<Signer> relayKey() throws CannotStart {
    Path file = keyFile();
    if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try {
      if (!Files.isRegularFile(file)) {
        throw new CannotStart("--data: " + file + " is not a file.");
      }
      if (isPosix(file) && !OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
        throw new CannotStart(
            "--data: " + file + " can be read by others; make it private (chmod 600).");
      }
      String hex = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
      if (!Hex.isLowerCase(hex, 64)) {
        throw new CannotStart(
            "--data: "
                + file
                + " does not hold 64 hex digits; restore it from its backup"
                + (hex.isEmpty() ? ", or delete it if this relay has never run." : "."));
      }
      return Optional.of(new Signer(HexFormat.of().parseHex(hex)));
    } catch (IllegalArgumentException e) {
      throw new CannotStart("--data: " + file + " does not hold a key of secp256k1.");
    } catch (IOException e) {
      throw new CannotStart("--data: cannot use " + file + ": " + OperatorWords.of(e) + ".");
    }
  }

  /**
   * Makes the relay's key, on disk before this returns.
   *
   * @throws CannotStart when the file cannot be written
   */
  Signer makeKey() throws CannotStart {
    try {
      createKey(keyFile());
    } catch (IOException e) {
      throw new CannotStart("--data: cannot write " + keyFile() + ": " + OperatorWords.of(e) + ".");
    }
    return relayKey()
        .orElseThrow(() -> new CannotStart("--data: " + keyFile() + " has been removed."));
  }

  /** Makes the key file, which is not there: private from the first byte, synced. */
  private void createKey(Path file) throws IOException {
    FileAttribute<?>[] mode =
        isPosix(path)
            ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
            : new FileAttribute<?>[0];
    try (FileChannel out =
        FileChannel.open(
            file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), mode)) {
      String hex = HexFormat.of().formatHex(Signer.randomSecret()) + "\n";
      out.write(ByteBuffer.wrap(hex.getBytes(StandardCharsets.ISO_8859_1)));
      out.force(true);
    }
    Directories.sync(path);
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  @Override
  public void close() {
    lock.close();
  }
}
