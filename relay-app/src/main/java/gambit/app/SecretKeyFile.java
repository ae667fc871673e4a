package gambit.app;

import gambit.app.operator.ErrorMessages;
import gambit.core.crypto.Signer;
import gambit.core.model.Hex;
import gambit.core.store.disk.Directories;
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
 * A file of the data directory with a secret key: 64 hex digits that only the owner may read. An
 * existing file is never replaced. Immutable; any thread.
 *
 * @param path an absolute path
 */
record SecretKeyFile(Path path) {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  /** A key file; the path is made absolute. */
  SecretKeyFile {
    path = path.toAbsolutePath().normalize();
  }

  /**
   * Reads the key; empty if there is no file.
   *
   * @throws StartFailure when the file does not hold a key, or others can read it
   */
  Optional<Signer> read() throws StartFailure {
    if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try {
      if (!Files.isRegularFile(path)) {
        throw new StartFailure("--data: " + path + " is not a file.");
      }
      if (isPosix() && !OWNER_ONLY.containsAll(Files.getPosixFilePermissions(path))) {
        throw new StartFailure(
            "--data: " + path + " can be read by others; make it private (chmod 600).");
      }
      String hex = Files.readString(path, StandardCharsets.ISO_8859_1).strip();
      if (!Hex.isLowerCase(hex, 64)) {
        throw new StartFailure(
            "--data: "
                + path
                + " does not hold 64 hex digits; restore it from its backup"
                + (hex.isEmpty() ? ", or delete it if this relay has never run." : "."));
      }
      return Optional.of(new Signer(HexFormat.of().parseHex(hex)));
    } catch (IllegalArgumentException e) {
      throw new StartFailure("--data: " + path + " does not hold a key of secp256k1.");
    } catch (IOException e) {
      throw new StartFailure("--data: cannot use " + path + ": " + ErrorMessages.of(e) + ".");
    }
  }

  /**
   * Creates a new key; it is synced to disk before this returns.
   *
   * @throws StartFailure when the file exists or cannot be written
   */
  Signer create() throws StartFailure {
    try {
      writeRandomKey();
    } catch (IOException e) {
      throw new StartFailure("--data: cannot write " + path + ": " + ErrorMessages.of(e) + ".");
    }
    return read().orElseThrow(() -> new StartFailure("--data: " + path + " has been removed."));
  }

  /** Reads the key, or creates one if there is no file. */
  Signer readOrCreate() throws StartFailure {
    Optional<Signer> existing = read();
    return existing.isPresent() ? existing.get() : create();
  }

  /** Creates the file with its permissions, so that others can never read it, and syncs it. */
  private void writeRandomKey() throws IOException {
    FileAttribute<?>[] mode =
        isPosix()
            ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
            : new FileAttribute<?>[0];
    try (FileChannel out =
        FileChannel.open(
            path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), mode)) {
      String hex = HexFormat.of().formatHex(Signer.randomSecret()) + "\n";
      out.write(ByteBuffer.wrap(hex.getBytes(StandardCharsets.ISO_8859_1)));
      out.force(true);
    }
    Path directory = path.getParent();
    if (directory != null) {
      Directories.sync(directory);
    }
  }

  private boolean isPosix() {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
