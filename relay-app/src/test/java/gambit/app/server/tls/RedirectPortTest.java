package gambit.app.server.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The port of plain HTTP of a relay with a domain. */
class RedirectPortTest {
  private static final String CHALLENGE = "/.well-known/acme-challenge/";

  private RedirectPort port;

  @BeforeEach
  void start() throws Exception {
    port =
        new RedirectPort(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            "relay.example",
            death -> {});
  }

  @AfterEach
  void end() {
    port.close();
  }

  /** The whole answer to a request; the port closes the connection after it. */
  private String answer(String request) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port.port())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  private String location(String request) throws Exception {
    return answer(request)
        .lines()
        .filter(line -> line.startsWith("location: "))
        .findFirst()
        .orElse("none")
        .substring("location: ".length());
  }

  @Test
  void everyRequestIsRedirectedToTheDomainItself() throws Exception {
    assertThat(answer("GET /a?b=c HTTP/1.1\r\nHost: other.example\r\n\r\n"))
        .startsWith("HTTP/1.1 301 ")
        .contains("location: https://relay.example/a?b=c\r\n");
    assertThat(answer("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"))
        .startsWith("HTTP/1.1 308 ");
    assertThat(location("GET //evil.example/a HTTP/1.1\r\n\r\n"))
        .isEqualTo("https://relay.example//evil.example/a");
    assertThat(location("GET http://evil.example/a HTTP/1.1\r\n\r\n"))
        .isEqualTo("https://relay.example/");
    assertThat(location("GET @evil.example HTTP/1.1\r\n\r\n")).isEqualTo("https://relay.example/");
    assertThat(location("OPTIONS * HTTP/1.1\r\n\r\n")).isEqualTo("https://relay.example/");
  }

  @Test
  void theOpenChallengeIsAnsweredAndNoOther() throws Exception {
    String asked = "GET " + CHALLENGE + "abc HTTP/1.1\r\n\r\n";
    assertThat(answer(asked)).startsWith("HTTP/1.1 404 ");
    port.answerChallenge("abc", "abc.def");
    assertThat(answer(asked)).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\nabc.def");
    assertThat(answer(asked.replace("abc", "abcd"))).startsWith("HTTP/1.1 404 ");
    assertThat(answer(asked.replace("GET", "HEAD")))
        .contains("content-length: 7")
        .endsWith("\n\r\n");
    assertThat(answer("GET " + CHALLENGE + "../../acme/account.pem HTTP/1.1\r\n\r\n"))
        .startsWith("HTTP/1.1 404 ");
    port.endChallenge();
    assertThat(answer(asked)).startsWith("HTTP/1.1 404 ");
  }

  @Test
  void whatIsNoHttpIsRefused() throws Exception {
    assertThat(answer("GET /" + "a".repeat(10_000) + " HTTP/1.1\r\n\r\n"))
        .startsWith("HTTP/1.1 414 ");
    assertThat(answer("\u0016\u0003\u0001 \r\n\r\n")).startsWith("HTTP/1.1 400 ");
  }

  @Test
  void theOldestOfTooManyConnectionsIsClosed() throws Exception {
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i <= 32; i++) {
        idle.add(new Socket(InetAddress.getLoopbackAddress(), port.port()));
      }
      idle.get(0).setSoTimeout(30_000);
      assertThat(idle.get(0).getInputStream().read()).isEqualTo(-1);
      assertThat(answer("GET / HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 301 ");
    } finally {
      for (Socket each : idle) {
        each.close();
      }
    }
  }
}
