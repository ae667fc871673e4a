package gambit.app.tool.client;

import gambit.app.common.CommandFailure;
import gambit.app.common.PrivateFile;
import gambit.core.crypto.Signer;
import gambit.core.files.Directories;
import gambit.core.model.Nip19;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** A secret key in a file that only its owner may read: an nsec (NIP-19) or 64 hex digits. */
public final class KeyFile {
  private KeyFile() {}

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

  /** Reads a key, which others must not be able to read; empty if there is no such file. */
  public static Optional<Signer> read(Path file) throws CommandFailure {
    return readSecret(file, "").map(Signer::new);
  }

  /** The same as a secret; {@code namedBy} begins the sentence of a failure. */
  public static Optional<byte[]> readSecret(Path file, String namedBy) throws CommandFailure {
    Optional<String> text = PrivateFile.read(file, namedBy);
    return text.isEmpty() ? Optional.empty() : Optional.of(parse(text.get(), namedBy + file));
  }

  /** The secret in a text, of which {@code source} is where it was found. */
  public static byte[] parse(String text, String source) throws CommandFailure {
    try {
      byte[] secret =
          Nip19.secretOrHex(text)
              .orElseThrow(
                  () ->
                      new CommandFailure(
                          source + ": neither an nsec nor 64 lower-case hex digits."));
      new Signer(secret); // which refuses one that is not valid
      return secret;
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(source + ": not a key of secp256k1.");
    }
  }

  public static Signer create(Path file) throws CommandFailure {
    try {
      Directories.createPrivate(file.toAbsolutePath().resolveSibling(""));
      byte[] secret = Signer.randomSecret();
      PrivateFile.create(file, Nip19.nsec(secret));
      return new Signer(secret);
    } catch (IOException e) {
      throw new CommandFailure("Cannot write " + file + ".");
    }
  }
}
