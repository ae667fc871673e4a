package gambit.app;

import gambit.app.operator.ErrorMessages;
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
 * The relay's data directory, locked for this process. {@code relay.key} holds the secret key: 64
 * hex digits that only the owner may read. {@code store} holds the events.
 */
final class DataDirectory implements AutoCloseable {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private final Path path;
  private final DirectoryLock lock;

  /**
   * Locks the directory, and creates it if it does not exist.
   *
   * @throws StartFailure when the directory cannot be created or is locked by another process
   */
  DataDirectory(Path directory) throws StartFailure {
    if (directory.toString().isBlank()) {
      throw new StartFailure("--data: the name of the directory is empty.");
    }
    this.path = directory.toAbsolutePath().normalize();
    try {
      boolean isNew = Files.notExists(path);
      Files.createDirectories(path);
      if (isNew) {
        Directories.syncParent(path);
      }
      this.lock = new DirectoryLock(path, "gambit.lock");
    } catch (DirectoryLock.InUse e) {
      throw new StartFailure("--data: " + e.getMessage() + ".");
    } catch (IOException e) {
      throw new StartFailure("--data: cannot use " + path + ": " + ErrorMessages.of(e) + ".");
    }
  }

  Path path() {
    return path;
  }

  Path keyFile() {
    return path.resolve("relay.key");
  }

  /**
   * Reads the relay's key; empty if there is no key file. An existing key file is never replaced.
   *
   * @throws StartFailure when the key file does not hold a key, or others can read it
   */
  Optional<Signer> readKey() throws StartFailure {
    Path file = keyFile();
    if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try {
      if (!Files.isRegularFile(file)) {
        throw new StartFailure("--data: " + file + " is not a file.");
      }
      if (isPosix(file) && !OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
        throw new StartFailure(
            "--data: " + file + " can be read by others; make it private (chmod 600).");
      }
      String hex = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
      if (!Hex.isLowerCase(hex, 64)) {
        throw new StartFailure(
            "--data: "
                + file
                + " does not hold 64 hex digits; restore it from its backup"
                + (hex.isEmpty() ? ", or delete it if this relay has never run." : "."));
      }
      return Optional.of(new Signer(HexFormat.of().parseHex(hex)));
    } catch (IllegalArgumentException e) {
      throw new StartFailure("--data: " + file + " does not hold a key of secp256k1.");
    } catch (IOException e) {
      throw new StartFailure("--data: cannot use " + file + ": " + ErrorMessages.of(e) + ".");
    }
  }

  /**
   * Creates the relay's key; it is synced to disk before this returns.
   *
   * @throws StartFailure when the file cannot be written
   */
  Signer createKey() throws StartFailure {
    try {
      writeRandomKey(keyFile());
    } catch (IOException e) {
      throw new StartFailure(
          "--data: cannot write " + keyFile() + ": " + ErrorMessages.of(e) + ".");
    }
    return readKey()
        .orElseThrow(() -> new StartFailure("--data: " + keyFile() + " has been removed."));
  }

  /** Creates the key file with its permissions, so that others can never read it, and syncs it. */
  private void writeRandomKey(Path file) throws IOException {
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
