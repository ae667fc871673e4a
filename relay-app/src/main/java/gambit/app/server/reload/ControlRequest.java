package gambit.app.server.reload;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;

/** Requests of commands to a running relay over its control channel. */
public final class ControlRequest {
  private static final int TIMEOUT_MILLIS = 30_000;

  /** The relay's answer. */
  public record Answer(int status, String text) {
    public boolean isSuccess() {
      return status == HttpURLConnection.HTTP_OK;
    }
  }

  private ControlRequest() {}

  /**
   * Sends a request and waits for its answer.
   *
   * @throws IOException when there is no answer within 30 seconds
   */
  public static Answer post(ControlFile control, String path) throws IOException {
    return post(control, path, "");
  }

  /**
   * Sends a request with a body, and waits for its answer.
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
