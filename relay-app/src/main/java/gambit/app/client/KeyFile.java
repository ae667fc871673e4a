package gambit.app.client;

import gambit.core.crypto.Signer;
import gambit.core.model.Hex;
import gambit.core.model.Nsec;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A player's secret key in a file that only its owner may read: an nsec (NIP-19) or 64 hex digits.
 */
public final class KeyFile {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** The longest file that is read: a key with some white space. */
  private static final int MAX_BYTES = 1000;

  private KeyFile() {}

  /** A failure with a message for the user. */
  public static final class KeyFailure extends Exception {
    private static final long serialVersionUID = 1;

    KeyFailure(String message) {
      super(message);
    }
  }

  /**
   * The file of the guest key: {@code gambit/player.key} in the user's directory for configuration.
   *
   * @param environment of the process
   */
  public static Path ofGuest(Map<String, String> environment) {
    String configured = environment.getOrDefault("XDG_CONFIG_HOME", "");
    String roaming = environment.getOrDefault("APPDATA", "");
    Path directory =
        !configured.isEmpty()
            ? Path.of(configured)
            : !roaming.isEmpty()
                ? Path.of(roaming)
                : Path.of(System.getProperty("user.home", "."), ".config");
    return directory.resolve("gambit").resolve("player.key").toAbsolutePath();
  }

  /**
   * Reads a key; empty if there is no such file.
   *
   * @throws KeyFailure if the file does not hold a key, or others may read it
   */
  public static Optional<Signer> read(Path file) throws KeyFailure {
    if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try {
      if (!Files.isRegularFile(file)) {
        throw new KeyFailure(file + " is not a file.");
      }
      if (isPosix(file) && !OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
        throw new KeyFailure(file + " can be read by others; make it private (chmod 600).");
      }
      if (Files.size(file) > MAX_BYTES) {
        throw new KeyFailure(file + " does not hold a key.");
      }
      String text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
      byte[] secret =
          Hex.isLowerCase(text, 64)
              ? HexFormat.of().parseHex(text)
              : Nsec.parse(text)
                  .orElseThrow(
                      () -> new KeyFailure(file + " holds neither an nsec nor 64 hex digits."));
      return Optional.of(new Signer(secret));
    } catch (IllegalArgumentException e) {
      throw new KeyFailure(file + " does not hold a key of secp256k1.");
    } catch (IOException e) {
      throw new KeyFailure("Cannot read " + file + ".");
    }
  }

  /**
   * Creates a file with a new key, and its directory if necessary.
   *
   * @throws KeyFailure if it cannot be written, or is there already
   */
  public static Signer create(Path file) throws KeyFailure {
    try {
      Path directory = file.toAbsolutePath().getParent();
      if (directory != null && Files.notExists(directory)) {
        FileAttribute<?>[] mode =
            isPosix(file) ? new FileAttribute<?>[] {PRIVATE_DIRECTORY} : new FileAttribute<?>[0];
        Files.createDirectories(directory, mode);
      }
      FileAttribute<?>[] mode =
          isPosix(file)
              ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
              : new FileAttribute<?>[0];
      byte[] secret = Signer.randomSecret();
      try (FileChannel out =
          FileChannel.open(
              file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), mode)) {
        String text = Nsec.of(secret) + "\n";
        out.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
        out.force(true);
      }
      return new Signer(secret);
    } catch (IOException e) {
      throw new KeyFailure("Cannot write " + file + ".");
    }
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
