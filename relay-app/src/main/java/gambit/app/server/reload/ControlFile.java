package gambit.app.server.reload;

import gambit.app.common.ErrorMessages;
import gambit.app.common.PrivateFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/**
 * How commands reach a running relay: the URL of its operators' port, and a random token, which a
 * relay makes at each start. The file {@code control} of the data directory has both; only its
 * owner may read it. Immutable.
 */
public record ControlFile(URI url, String token) {
  /** The path of a reload. */
  public static final String RELOAD_PATH = "/control/reload";

  /** The path of a request for the address of the relay's port. */
  public static final String PORT_PATH = "/control/port";

  private static final String NAME = "control";
  private static final int TOKEN_BYTES = 32;

  /** The file of a data directory. */
  public static Path in(Path data) {
    return data.resolve(NAME);
  }

  /** A new token for a relay with that operators' port. */
  public static ControlFile create(URI url) {
    return new ControlFile(url, newToken());
  }

  /** A random token. */
  public static String newToken() {
    byte[] token = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(token);
    return HexFormat.of().formatHex(token);
  }

  /** The message of a command that cannot reach the relay. */
  public String unanswered(Path data, IOException cause) {
    return "--data: the relay of "
        + data
        + " does not answer at "
        + url
        + ": "
        + ErrorMessages.of(cause)
        + ".";
  }

  /** Writes the file in place of an older one, which a relay that was killed has left. */
  public void writeTo(Path data) throws IOException {
    Files.deleteIfExists(in(data));
    PrivateFile.create(in(data), url + " " + token);
  }

  /** Removes the file, if there is one. */
  public static void remove(Path data) {
    try {
      Files.deleteIfExists(in(data));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads the file of a data directory; empty if there is none, or it is not complete.
   *
   * @throws PrivateFile.Unusable if others may read it
   */
  public static Optional<ControlFile> read(Path data) throws IOException, PrivateFile.Unusable {
    Optional<String> text = PrivateFile.read(in(data));
    String[] parts = text.orElse("").split(" ", -1);
    try {
      return parts.length == 2
          ? Optional.of(new ControlFile(URI.create(parts[0]), parts[1]))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Without the token, which must not get into a log. */
  @Override
  public String toString() {
    return "control of " + url;
  }
}
