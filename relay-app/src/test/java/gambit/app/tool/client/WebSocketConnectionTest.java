package gambit.app.tool.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ServerSocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that sends prepared bytes after the handshake, and closes the connection at once. */
class WebSocketConnectionTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private static final class Recording {
    private final BlockingQueue<String> news = new LinkedBlockingQueue<>();

    private void received(List<String> messages) {
      news.addAll(messages);
    }

    private void ended(String reason) {
      news.add(reason);
    }

    private String next() throws InterruptedException {
      return String.valueOf(news.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS));
    }
  }

  /** A text frame without a mask, as servers send them; {@code first} is its first byte. */
  private static String frame(int first, String text) {
    return (char) first + "" + (char) text.length() + text;
  }

  private static void serveOnce(ServerSocket server, String frames) {
    Thread thread =
        new Thread(
            () -> {
              try (Socket socket = server.accept()) {
                String request = head(socket.getInputStream());
                Matcher key = Pattern.compile("(?i)sec-websocket-key: (\\S+)").matcher(request);
                assertThat(key.find()).isTrue();
                String proof = key.group(1) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
                byte[] hash = MessageDigest.getInstance("SHA-1").digest(proof.getBytes(ISO_8859_1));
                String answer =
                    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                        + "Connection: Upgrade\r\nSec-WebSocket-Accept: "
                        + Base64.getEncoder().encodeToString(hash)
                        + "\r\n\r\n"
                        + frames;
                OutputStream out = socket.getOutputStream();
                out.write(answer.getBytes(ISO_8859_1));
                out.flush();
              } catch (Exception e) {
                // the client has refused the certificate
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.read());
    }
    return head.toString();
  }

  private static RelayPlace url(String scheme, String host, ServerSocket server) {
    return RelayPlace.of(URI.create(scheme + "://" + host + ":" + server.getLocalPort() + "/"));
  }

  private static ServerSocket listen(ServerSocketFactory factory) throws IOException {
    return factory.createServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @Test
  void messagesThatArriveTogetherAreDeliveredInOrder() throws Exception {
    try (ServerSocket server = listen(ServerSocketFactory.getDefault())) {
      serveOnce(server, frame(0x81, "one") + frame(0x81, "two") + frame(0x81, "three"));
      Recording listener = new Recording();
      WebSocketConnection connection =
          WebSocketConnection.open(
                  url("ws", "127.0.0.1", server), TIMEOUT, listener::received, listener::ended)
              .get();
      for (String expected : List.of("one", "two", "three", "The relay closed the connection.")) {
        if (listener.news.isEmpty()) {
          connection.requestAll();
        }
        assertThat(listener.next()).isEqualTo(expected);
      }
    }
  }

  @Test
  void messagesThatArriveWithTheHandshakeAndTheEndAreDeliveredWhenTheyAreRequested()
      throws Exception {
    try (ServerSocket server = listen(ServerSocketFactory.getDefault())) {
      String fragments = frame(0x01, "thr") + frame(0x89, "ping") + frame(0x80, "ee");
      serveOnce(server, frame(0x81, "one") + frame(0x81, "two") + fragments);
      Recording listener = new Recording();
      WebSocketConnection connection =
          WebSocketConnection.open(
                  url("ws", "127.0.0.1", server), TIMEOUT, listener::received, listener::ended)
              .get();
      assertThat(listener.news).isEmpty();
      for (String expected : List.of("one", "two", "three", "The relay closed the connection.")) {
        if (listener.news.isEmpty()) {
          connection.requestAll();
        }
        assertThat(listener.next()).isEqualTo(expected);
      }
      assertThat(connection.send("late").await().isSuccess()).isFalse();
    }
  }

  @Test
  void invalidUtf8EndsTheConnection() throws Exception {
    try (ServerSocket server = listen(ServerSocketFactory.getDefault())) {
      serveOnce(server, frame(0x81, "\u00ff"));
      Recording listener = new Recording();
      WebSocketConnection.open(
              url("ws", "127.0.0.1", server), TIMEOUT, listener::received, listener::ended)
          .get()
          .requestAll();
      assertThat(listener.next()).isEqualTo("The connection to the relay is lost.");
    }
  }

  @Test
  void aCertificateIsAcceptedForItsOwnHostOnly(@TempDir Path directory) throws Exception {
    SSLContext before = SSLContext.getDefault();
    SSLContext context = contextOfLocalhost(directory.resolve("keys"));
    try (ServerSocket server = listen(context.getServerSocketFactory())) {
      Recording listener = new Recording();
      serveOnce(server, "");
      assertThat(
              failure(
                  WebSocketConnection.open(
                      url("wss", "localhost", server),
                      TIMEOUT,
                      listener::received,
                      listener::ended)))
          .as("unknown authority")
          .isInstanceOf(SSLHandshakeException.class);
      SSLContext.setDefault(context);
      serveOnce(server, "");
      assertThat(
              failure(
                  WebSocketConnection.open(
                      url("wss", "127.0.0.1", server),
                      TIMEOUT,
                      listener::received,
                      listener::ended)))
          .as("another name")
          .isInstanceOf(SSLHandshakeException.class);
      serveOnce(server, frame(0x81, "one"));
      WebSocketConnection.open(
              url("wss", "localhost", server), TIMEOUT, listener::received, listener::ended)
          .get()
          .requestAll();
      assertThat(listener.next()).isEqualTo("one");
    } finally {
      SSLContext.setDefault(before);
    }
  }

  private static Throwable failure(CompletableFuture<?> result) {
    Throwable failure = RecordingPlayer.failureOf(result);
    while (failure.getCause() != null && !(failure instanceof SSLHandshakeException)) {
      failure = failure.getCause();
    }
    return failure;
  }

  /** The key of a server named localhost, and trust in its certificate. */
  private static SSLContext contextOfLocalhost(Path file) throws Exception {
    String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    String options = "-genkeypair -keyalg EC -alias a -dname CN=localhost -ext san=dns:localhost";
    List<String> command = new ArrayList<>(List.of(tool));
    command.addAll(List.of(options.split(" ")));
    command.addAll(List.of("-storepass", "secret", "-keystore", file.toString()));
    assertThat(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor())
        .isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, "secret".toCharArray());
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, "secret".toCharArray());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("a", keys.getCertificate("a"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }
}
