package gambit.app.server.reload;

import gambit.app.common.CommandFailure;
import gambit.app.common.ErrorMessages;
import gambit.app.common.PrivateFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
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
public record ControlFile(Path data, URI url, String token) {
  public static final String RELOAD_PATH = "/control/reload";
  public static final String PORT_PATH = "/control/port";
  private static final String NAME = "control";
  private static final int TOKEN_BYTES = 32;
  private static final int TIMEOUT_MILLIS = 30_000;

  public record Answer(int status, String text) {
    public boolean isSuccess() {
      return status == HttpURLConnection.HTTP_OK;
    }

    /** The text of a success; the sentence of a failure otherwise. */
    public String success() throws CommandFailure {
      if (!isSuccess()) {
        throw new CommandFailure(text);
      }
      return text;
    }
  }

  public static Path in(Path data) {
    return data.resolve(NAME);
  }

  public static String newToken() {
    byte[] token = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(token);
    return HexFormat.of().formatHex(token);
  }

  /** Writes the file in place of an older one, which a relay that was killed has left. */
  void write() throws IOException {
    remove();
    PrivateFile.create(in(data), url + " " + token);
  }

  void remove() {
    try {
      Files.deleteIfExists(in(data));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The file of a data directory; empty if there is none, or it is not complete. */
  public static Optional<ControlFile> read(Path data) throws CommandFailure {
    String[] parts = PrivateFile.read(in(data), "--data: ").orElse("").split(" ", -1);
    try {
      return parts.length == 2
          ? Optional.of(new ControlFile(data, URI.create(parts[0]), parts[1]))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  public static ControlFile ofRunning(Path data) throws CommandFailure {
    return read(data)
        .orElseThrow(
            () ->
                new CommandFailure(
                    "--data: no relay is running with %s: there is no %s."
                        .formatted(data, in(data))));
  }

  /** Sends a request to the relay, and waits up to 30 seconds for its answer. */
  public Answer post(String path, String requestBody) throws CommandFailure {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) url.resolve(path).toURL().openConnection(Proxy.NO_PROXY);
      connection.setRequestMethod("POST");
      connection.setRequestProperty("Authorization", "Bearer " + token);
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      if (!requestBody.isEmpty()) {
        connection.setDoOutput(true);
        connection.getOutputStream().write(requestBody.getBytes(StandardCharsets.UTF_8));
      }
      int status = connection.getResponseCode();
      InputStream body =
          status == HttpURLConnection.HTTP_OK
              ? connection.getInputStream()
              : connection.getErrorStream();
      String text =
          body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8).strip();
      return new Answer(
          status, text.isEmpty() ? "The relay answered with status " + status + "." : text);
    } catch (IOException e) {
      throw new CommandFailure(
          "--data: the relay of %s does not answer at %s: %s."
              .formatted(data, url, ErrorMessages.of(e)));
    }
  }

  /** Without the token, which must not get into a log. */
  @Override
  public String toString() {
    return "control of " + url;
  }
}
