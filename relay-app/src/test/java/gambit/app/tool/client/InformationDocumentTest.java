package gambit.app.tool.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import gambit.app.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers with any answer to the request for the information document. */
class InformationDocumentTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: ";

  /** Answers one request, which the result has; the connection stays open with the server. */
  private static CompletableFuture<String> answerOnce(ServerSocket server, String answer) {
    CompletableFuture<String> request = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try (Socket client = server.accept()) {
                InputStream in = client.getInputStream();
                StringBuilder head = new StringBuilder();
                while (head.indexOf("\r\n\r\n") < 0) {
                  head.append((char) in.read());
                }
                client.getOutputStream().write(answer.getBytes(UTF_8));
                request.complete(head.toString());
                while (in.read() >= 0) {
                  // until the client closes the connection
                }
              } catch (IOException e) {
                request.completeExceptionally(e); // no effect after the request
              }
            });
    thread.setDaemon(true);
    thread.start();
    return request;
  }

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  private static RelayPlace place(ServerSocket server, String path) {
    return RelayPlace.of(URI.create("ws://127.0.0.1:" + server.getLocalPort() + path));
  }

  private static String answer(String body) {
    return HEAD + body.getBytes(UTF_8).length + "\r\n\r\n" + body;
  }

  @Test
  void theDocumentIsRequestedFromTheRelaysUrl() throws Exception {
    try (ServerSocket server = listen()) {
      CompletableFuture<String> request = answerOnce(server, answer("{\"name\":\"Gambít\"}"));
      JsonNode document = RelayInfo.document(place(server, "/chess?a=1"), TIMEOUT).get();
      assertThat(document.path("name").asText()).isEqualTo("Gambít");
      assertThat(request.get())
          .startsWith("GET /chess?a=1 HTTP/1.1\r\n")
          .contains("host: 127.0.0.1:" + server.getLocalPort() + "\r\n")
          .contains("accept: application/nostr+json\r\n");
    }
  }

  @Test
  void aDocumentInPartsIsReadWhole() throws Exception {
    try (ServerSocket server = listen()) {
      answerOnce(
          server,
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{\"\r\n5\r\na\":1}\r\n0\r\n\r\n");
      assertThat(RelayInfo.document(place(server, ""), TIMEOUT).get().path("a").asInt())
          .isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 301 Moved\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n",
        HEAD + "2\r\n\r\n[]",
        HEAD + "2\r\n\r\n{,",
        HEAD + "0\r\n\r\n",
        HEAD + "300000\r\n\r\n",
        "no HTTP\r\n\r\n"
      })
  void anyOtherAnswerIsAFailureAndMeansTheUsualLimits(String answer) throws Exception {
    try (ServerSocket server = listen()) {
      answerOnce(server, answer);
      assertThat(RecordingPlayer.failureOf(RelayInfo.document(place(server, ""), TIMEOUT)))
          .isInstanceOf(RelayFailure.class);
      answerOnce(server, answer);
      assertThat(RelayLimits.fetch(place(server, ""), TIMEOUT).get()).isEqualTo(RelayLimits.USUAL);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\n", HEAD + "10\r\n\r\n{"})
  void aServerThatDoesNotEndItsAnswerIsNotWaitedFor(String answer) throws Exception {
    try (ServerSocket server = listen()) {
      answerOnce(server, answer);
      assertThat(RelayLimits.fetch(place(server, ""), Duration.ofMillis(300)).get())
          .isEqualTo(RelayLimits.USUAL);
    }
  }

  @Test
  void anUnreachableOrUnusableUrlMeansTheUsualLimits() throws Exception {
    RelayPlace unused = RelayPlace.of(URI.create("ws://127.0.0.1:" + FreePort.any()));
    assertThat(RelayLimits.fetch(unused, TIMEOUT).get()).isEqualTo(RelayLimits.USUAL);
    RelayPlace withoutHost = RelayPlace.of(URI.create("ws://no_host/"));
    assertThat(RelayLimits.fetch(withoutHost, TIMEOUT).get()).isEqualTo(RelayLimits.USUAL);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | 131072",
        "{\"limitation\":[]} | 131072",
        "{\"limitation\":{\"max_message_length\":16384}} | 16384",
        "{\"limitation\":{\"max_message_length\":0}} | 131072",
        "{\"limitation\":{\"max_message_length\":-1}} | 131072",
        "{\"limitation\":{\"max_message_length\":\"16384\"}} | 131072",
        "{\"limitation\":{\"max_message_length\":1.5}} | 131072",
        "{\"limitation\":{\"max_message_length\":99999999999999999999}} | 131072",
        "{\"limitation\":{\"max_message_length\":9999999999999}} | 1073741824",
      })
  void aLimitIsAPositiveWholeNumber(String document, int messageBytes) throws Exception {
    assertThat(RelayLimits.of(new ObjectMapper().readTree(document)).messageBytes())
        .isEqualTo(messageBytes);
  }
}
