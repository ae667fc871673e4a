package gambit.app.tool.client;

import gambit.app.common.PrivateFile;
import gambit.core.crypto.Signer;
import gambit.core.model.Hex;
import gambit.core.model.Nsec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * A player's secret key in a file that only its owner may read: an nsec (NIP-19) or 64 hex digits.
 */
public final class KeyFile {
  private KeyFile() {}

  /** A failure with a message for the user. */
  public static final class KeyFailure extends Exception {
    private static final long serialVersionUID = 1;

    KeyFailure(String message) {
      super(message);
    }
  }

  /** The file of the guest key: {@code gambit/player.key} in the user's configuration. */
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
    try {
      Optional<String> content = PrivateFile.read(file);
      if (content.isEmpty()) {
        return Optional.empty();
      }
      String text = content.get();
      byte[] secret =
          Hex.isLowerCase(text, 64)
              ? HexFormat.of().parseHex(text)
              : Nsec.parse(text)
                  .orElseThrow(
                      () -> new KeyFailure(file + " holds neither an nsec nor 64 hex digits."));
      return Optional.of(new Signer(secret));
    } catch (PrivateFile.Unusable e) {
      throw new KeyFailure(String.valueOf(e.getMessage()));
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
      PrivateFile.createDirectoryOf(file);
      byte[] secret = Signer.randomSecret();
      PrivateFile.create(file, Nsec.of(secret));
      return new Signer(secret);
    } catch (IOException e) {
      throw new KeyFailure("Cannot write " + file + ".");
    }
  }
}
