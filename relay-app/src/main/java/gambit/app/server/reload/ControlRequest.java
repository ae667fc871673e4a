package gambit.app.server.reload;

import gambit.app.common.ErrorMessages;
import gambit.app.common.PrivateFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Requests of commands to a running relay over its control channel. */
public final class ControlRequest {
  private static final int TIMEOUT_MILLIS = 30_000;

  /** The relay's answer. */
  public record Answer(int status, String text) {
    public boolean isSuccess() {
      return status == HttpURLConnection.HTTP_OK;
    }
  }

  /** There is no answer; the message is a sentence for the operator. */
  public static final class Unanswered extends Exception {
    private static final long serialVersionUID = 1;

    private Unanswered(String message) {
      super(message);
    }
  }

  private ControlRequest() {}

  /**
   * Sends a request to the running relay of a data directory, and waits for its answer.
   *
   * @throws Unanswered when no relay runs, or there is no answer within 30 seconds
   */
  public static Answer post(Path data, String path, String requestBody) throws Unanswered {
    ControlFile control;
    try {
      control = ControlFile.read(data).orElse(null);
    } catch (PrivateFile.Unusable e) {
      throw new Unanswered("--data: " + e.getMessage());
    } catch (IOException e) {
      throw new Unanswered("--data: cannot read " + data + ": " + ErrorMessages.of(e) + ".");
    }
    if (control == null) {
      throw new Unanswered(
          "--data: no relay is running with "
              + data
              + ": there is no "
              + ControlFile.in(data)
              + ".");
    }
    try {
      return post(control, path, requestBody);
    } catch (IOException e) {
      throw new Unanswered(control.unanswered(data, e));
    }
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @throws IOException when there is no answer within 30 seconds
   */
  public static Answer post(ControlFile control, String path, String requestBody)
      throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) control.url().resolve(path).toURL().openConnection(Proxy.NO_PROXY);
    connection.setRequestMethod("POST");
    connection.setRequestProperty("Authorization", "Bearer " + control.token());
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
  }
}
