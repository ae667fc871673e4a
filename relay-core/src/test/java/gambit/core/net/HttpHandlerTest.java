package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.rate.RateLimits;
import gambit.core.testkit.Client;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP at the relay's port: the NIP-11 document, CORS, errors and upgrades. */
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class HttpHandlerTest {
  private final TestRelay relay = new TestRelay();

  @AfterEach
  void end() {
    relay.close();
  }

  @Test
  void informationDocumentIsServedAtTheRelayUrlWithThreeCorsHeaders() throws Exception {
    HttpResponse<String> answer = ask("GET", "/", "application/nostr+json");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type")).contains("application/nostr+json");
    assertCors(answer);
    JsonNode document = new ObjectMapper().readTree(answer.body());
    LimitValues limits = LimitValues.DEFAULT;
    assertThat(document.get("name").asText()).isEqualTo("Test");
    assertThat(document.get("contact").asText()).isEqualTo("mailto:test@gambit.example");
    assertThat(document.has("icon")).isFalse();
    assertThat(document.get("self").asText()).isEqualTo(relay.signer().pubkey().hex());
    assertThat(document.get("supported_nips").toString())
        .isEqualTo("[1,2,4,9,11,13,17,28,40,42,45,59,62,65,70,77]");
    JsonNode limitation = document.get("limitation");
    assertThat(limitation.get("max_message_length").asInt())
        .isEqualTo(limits.get(Limit.MESSAGE_BYTES));
    assertThat(limitation.get("max_subscriptions").asInt())
        .isEqualTo(limits.get(Limit.SUBSCRIPTIONS));
    assertThat(limitation.get("max_limit").asInt()).isEqualTo(limits.get(Limit.MAX_LIMIT));
    assertThat(limitation.get("default_limit").asInt()).isEqualTo(limits.get(Limit.DEFAULT_LIMIT));
    assertThat(limitation.get("max_event_tags").asInt()).isEqualTo(limits.get(Limit.EVENT_TAGS));
    assertThat(limitation.get("max_subid_length").asInt()).isEqualTo(64);
    assertThat(limitation.get("created_at_upper_limit").asInt())
        .isEqualTo(limits.get(Limit.SECONDS_AHEAD));
  }

  @Test
  void informationDocumentIsServedForAListOfTypesAndForHead() {
    assertThat(ask("GET", "/?x=1", "text/html, application/nostr+json;q=0.9").body())
        .startsWith("{");
    HttpResponse<String> head = ask("HEAD", "/", "application/nostr+json");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertCors(head);
  }

  @Test
  void corsPreflightIsAnswered() {
    HttpResponse<String> answer = ask("OPTIONS", "/", "*/*");
    assertThat(answer.statusCode()).isEqualTo(204);
    assertCors(answer);
  }

  @Test
  void browserReceivesAShortDescription() {
    HttpResponse<String> answer = ask("GET", "/", "text/html");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("Nostr relay");
  }

  @Test
  void otherPathsAndMethodsAreRefusedAndNeverUpgraded() throws Exception {
    assertThat(ask("GET", "/foo", "application/nostr+json").statusCode()).isEqualTo(404);
    assertThat(ask("POST", "/", "*/*").statusCode()).isEqualTo(405);
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(RawSocket.UPGRADE.replace("GET /", "GET /foo"));
      assertThat(raw.readHead()).startsWith("HTTP/1.1 404 ");
    }
  }

  @Test
  void oneConnectionServesSeveralRequests() throws Exception {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      for (int i = 0; i < 3; i++) {
        raw.write("GET / HTTP/1.1\r\nHost: x\r\nAccept: application/nostr+json\r\n\r\n");
        String head = raw.readHead();
        assertThat(head).startsWith("HTTP/1.1 200 ");
        assertThat(new String(raw.readBody(head))).startsWith("{").endsWith("}");
      }
    }
  }

  @Test
  void otherWebSocketVersionIsAnsweredWithTheSupportedOne() throws Exception {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(RawSocket.UPGRADE.replace("Version: 13", "Version: 99"));
      assertThat(raw.readHead())
          .startsWith("HTTP/1.1 426 ")
          .containsIgnoringCase("sec-websocket-version: 13");
    }
  }

  @Test
  void garbageIsABadRequestAndOtherConnectionsContinue() throws Exception {
    try (RawSocket raw = new RawSocket(relay.uri());
        Client client = relay.connect()) {
      raw.write("\u0001\u0002 nonsense\r\n\r\n");
      assertThat(raw.readHead()).startsWith("HTTP/1.1 400 ");
      assertThat(raw.isAtEnd()).isTrue();
      client.send("[\"REQ\",\"a\",{\"limit\":0}]");
      assertThat(client.next()).isEqualTo("[\"EOSE\",\"a\"]");
    }
  }

  @Test
  void invalidUpgradeIsABadRequest() throws Exception {
    String right = RawSocket.UPGRADE;
    assertThat(statusOf(right)).isEqualTo("101");
    assertThat(statusOf(right.replace("HTTP/1.1", "HTTP/1.0"))).isEqualTo("400");
    assertThat(statusOf(right.replace("GET", "HEAD"))).isEqualTo("400");
    assertThat(statusOf(right.replace("Connection: Upgrade", "Connection: keep-alive")))
        .isEqualTo("400");
    assertThat(statusOf(right.replace("Sec-WebSocket-Key: ", "X-Key: "))).isEqualTo("400");
    assertThat(statusOf(right.replace("dGhlIHNhbXBsZSBub25jZQ==", "short"))).isEqualTo("400");
    assertThat(statusOf(right.replace("Sec-WebSocket-Version: 13\r\n", ""))).isEqualTo("426");
  }

  @Test
  void targetMayBeAbsoluteAndABrokenOneIsNotFound() throws Exception {
    assertThat(statusOf("GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n")).isEqualTo("200");
    assertThat(statusOf("GET wss://x/ HTTP/1.1\r\nHost: x\r\n\r\n")).isEqualTo("404");
    assertThat(statusOf("GET http://x HTTP/1.1\r\nHost: x\r\n\r\n")).isEqualTo("200");
    assertThat(statusOf("GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n")).isEqualTo("404");
    assertThat(statusOf("GET * HTTP/1.1\r\nHost: x\r\n\r\n")).isEqualTo("404");
  }

  @Test
  void clientThatRequestsWithoutReadingIsDisconnected() throws Exception {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      String request = "GET / HTTP/1.1\r\nHost: x\r\nAccept: application/nostr+json\r\n\r\n";
      String many = request.repeat(1000);
      int rounds = 0;
      try {
        while (rounds < 1000) {
          raw.write(many);
          rounds++;
        }
      } catch (IOException e) {
        assertThat(e).hasMessageMatching(".*(reset|Broken pipe|closed).*");
      }
      assertThat(rounds).as("thousands of requests before the end").isLessThan(1000);
    }
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "404 | GET /foo HTTP/1.1~Host: x~~",
        "404 | OPTIONS /foo HTTP/1.1~Host: x~~",
        "404 | GET //x/ HTTP/1.1~Host: x~~",
        "404 | GET ftp://x/ HTTP/1.1~Host: x~~",
        "405 | POST / HTTP/1.1~Host: x~Content-Length: 4~~body",
        "405 | PUT / HTTP/1.1~Host: x~Transfer-Encoding: chunked~~4~body~0~~",
        "405 | BREW / HTTP/1.1~Host: x~~",
        "405 | TRACE / HTTP/1.1~Host: x~~",
        "426 | GET / HTTP/1.1~Host: x~Upgrade: websocket~Connection: Upgrade~~",
        "400 | GET / HTTP/1.1~~",
        "400 | GET / HTTP/1.1~Host: x~Host: x~~",
        "200 | GET /?a=/&b HTTP/1.1~Host: x~~",
        "200 | GET HTTPS://gambit.example?a HTTP/1.1~Host: x~~",
        "200 | GET / HTTP/1.1~Host: x~Transfer-Encoding: chunked~~1~x~0~Trailer: y~~",
        "200 | GET / HTTP/1.1~Host: x~Accept: a,~ b~~"
      })
  void whatIsAnsweredBeforeTheNextRequest(String status, String request) throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      for (int i = 0; i < 2; i++) {
        raw.write(request.replace("~", "\r\n"));
        String head = raw.readHead();
        raw.readBody(head);
        assertThat(head).startsWith("HTTP/1.1 " + status + " ").doesNotContain("close");
        assertCors(head);
      }
    }
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "400 | GET /~",
        "400 | GET / HTTP/1.1 HTTP/1.1~Host: x~~",
        "400 | GET / HTTP/9~Host: x~~",
        "400 | hello~~",
        "400 | GET / HTTP/1.1~Host: x~: nameless~~",
        "400 | GET / HTTP/1.1~Host: x~Content-Length: 4~Content-Length: 5~~body",
        "400 | GET / HTTP/1.1~Host: x~Content-Length: -1~~",
        "400 | GET / HTTP/1.1~Host: x~Content-Length: four~~body",
        "400 | GET / HTTP/1.1~Host: x~Content-Length: 4~Transfer-Encoding: chunked~~0~~",
        "400 | GET / HTTP/1.0~Host: x~Host: x~~",
        "400 | POST / HTTP/1.1~Host: x~Transfer-Encoding: chunked~~four~body~0~~",
        "413 | POST / HTTP/1.1~Host: x~Content-Length: 8193~~{8193}",
        "413 | POST / HTTP/1.1~Host: x~Transfer-Encoding: chunked~~2001~{8193}~0~~",
        "414 | GET /?{4090} HTTP/1.1~Host: x~~",
        "431 | GET / HTTP/1.1~Host: x~X: {8192}~~",
        "200 | GET / HTTP/1.0~~",
        "200 | GET / HTTP/1.1~Host: x~Connection: close~~"
      })
  void whatIsAnsweredBeforeTheEnd(String status, String request) throws IOException {
    Matcher filling = Pattern.compile("\\{(\\d+)}").matcher(request.replace("~", "\r\n"));
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(filling.replaceAll(it -> "x".repeat(Integer.parseInt(it.group(1)))));
      String head = raw.readHead();
      assertThat(head).startsWith("HTTP/1.1 " + status + " ");
      assertThat(head).containsIgnoringCase("\r\nconnection: close\r\n");
      assertCors(head);
      raw.readBody(head);
      assertThat(raw.isAtEnd()).isTrue();
    }
  }

  @Test
  void tlsHelloIsABadRequest() throws IOException {
    String hello = "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003";
    assertThat(statusOf(hello + "\u00a5".repeat(500))).isEqualTo("400");
  }

  @Test
  void unsupportedMethodIsAnsweredWithTheSupportedOnes() throws IOException {
    assertThat(headOf("DELETE / HTTP/1.1\r\nHost: x\r\n\r\n"))
        .startsWith("HTTP/1.1 405 ")
        .containsIgnoringCase("\r\nallow: GET, HEAD, OPTIONS\r\n");
  }

  @Test
  void otherWebSocketVersionIsAnsweredWithUpgradeHeadersBeforeTheConnectionCloses()
      throws IOException {
    for (String connection : List.of("Upgrade", "Upgrade, close")) {
      assertThat(
              headOf(
                  RawSocket.UPGRADE
                      .replace("Connection: Upgrade", "Connection: " + connection)
                      .replace("Version: 13", "Version: 8")))
          .startsWith("HTTP/1.1 426 ")
          .containsIgnoringCase("\r\nupgrade: websocket\r\n")
          .containsIgnoringCase("\r\nconnection: upgrade\r\n")
          .containsIgnoringCase("\r\nsec-websocket-version: 13\r\n");
    }
  }

  @Test
  void headHasTheHeadersOfGet() throws IOException {
    String get = headOf("GET / HTTP/1.1\r\nHost: x\r\nAccept: application/nostr+json\r\n\r\n");
    try (RawSocket raw = new RawSocket(relay.uri())) {
      for (int i = 0; i < 2; i++) {
        raw.write("HEAD / HTTP/1.1\r\nHost: x\r\nAccept: application/nostr+json\r\n\r\n");
        assertThat(withoutDate(raw.readHead())).isEqualTo(withoutDate(get));
      }
    }
  }

  @Test
  void answersHaveTheTimeOfTheRelayInWholeSeconds() {
    Instant before = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    HttpResponse<String> answer = ask("HEAD", "/", "application/nostr+json");
    Instant after = Instant.now();
    String date = answer.headers().firstValue("date").orElseThrow();
    assertThat(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from))
        .isBetween(before, after);
    assertThat(answer.headers().firstValue("access-control-expose-headers")).contains("date");
  }

  @Test
  void corsPreflightForTheDocumentIsAnswered() throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(
          "OPTIONS / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\nAccept: */*\r\n"
              + "Access-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: accept\r\n"
              + "Origin: https://client.example\r\nSec-Fetch-Mode: cors\r\n\r\n"
              + "GET / HTTP/1.1\r\nHost: x\r\nOrigin: https://client.example\r\n"
              + "Accept: application/nostr+json\r\n\r\n");
      String preflight = raw.readHead();
      assertThat(preflight).startsWith("HTTP/1.1 204 ").doesNotContainIgnoringCase("length");
      assertCors(preflight);
      String head = raw.readHead();
      assertThat(head).startsWith("HTTP/1.1 200 ");
      assertThat(new String(raw.readBody(head), StandardCharsets.UTF_8)).startsWith("{");
    }
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrderAndTheLastMayBeAnUpgrade() throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(
          "GET /1 HTTP/1.1\r\nHost: x\r\n\r\n"
              + "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
              + "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n"
              + "GET / HTTP/1.1\r\n\r\n"
              + RawSocket.UPGRADE);
      assertThat(raw.readHead()).startsWith("HTTP/1.1 404 ");
      assertThat(raw.readHead()).startsWith("HTTP/1.1 405 ");
      assertThat(raw.readHead()).startsWith("HTTP/1.1 200 ");
      assertThat(raw.readHead()).startsWith("HTTP/1.1 400 ");
      raw.readUpgradeAnswer();
      assertThat(raw.isServed()).isTrue();
    }
  }

  @Test
  void bytesAfterTheLastAnswerAreIgnored() throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write("HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" + RawSocket.UPGRADE);
      assertThat(raw.readHead()).startsWith("HTTP/1.1 200 ");
      assertThat(raw.isAtEnd()).isTrue();
    }
  }

  @Test
  void bodyLimitAppliesToEachRequestOfAConnection() throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      String request = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n";
      for (int i = 0; i < 3; i++) { // 15,000 bytes in all, of which each request may have 8,192
        raw.write(request + "x".repeat(5000));
        String head = raw.readHead();
        assertThat(head).startsWith("HTTP/1.1 405 ");
        raw.readBody(head);
      }
    }
  }

  @Test
  void expectContinueIsAnswered() throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
      assertThat(raw.readHead()).startsWith("HTTP/1.1 100 ");
      raw.write("body");
      assertThat(raw.readHead()).startsWith("HTTP/1.1 405 ");
      raw.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      assertThat(raw.readHead()).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void bodyOfAnUpgradeIsDiscarded() throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(RawSocket.upgradeWith("Content-Length: 4") + "body");
      raw.readUpgradeAnswer();
      assertThat(raw.isServed()).isTrue();
    }
  }

  @Test
  void keyIsRequiredOnceAndHeaderNamesAreCaseInsensitive() throws IOException {
    assertThat(statusOf(RawSocket.upgradeWith("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")))
        .isEqualTo("400");
    assertThat(
            statusOf(
                RawSocket.UPGRADE
                    .replace("Upgrade: websocket", "UPGRADE: h2c, WebSocket")
                    .replace("Connection: Upgrade", "connection: keep-alive, UPGRADE")
                    .replace("Sec-WebSocket", "sec-websocket")))
        .isEqualTo("101");
  }

  @Test
  void requestMayArriveByteByByte() throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      for (char one : RawSocket.UPGRADE.toCharArray()) {
        raw.write(String.valueOf(one));
      }
      raw.readUpgradeAnswer();
      assertThat(raw.isServed()).isTrue();
    }
  }

  @Test
  void answerArrivesWhileTheClientIsStillSending() throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\n");
      raw.write(new byte[4_000_000]);
      assertThat(raw.readHead()).startsWith("HTTP/1.1 413 ");
      assertThat(raw.isAtEnd()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
        "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8000\r\n\r\n"
      })
  void slowRequestIsClosedAtItsDeadline(String begin) throws IOException {
    try (TestRelay impatient =
            new TestRelay(
                TestLimits.handshakeSeconds(1), RateLimits.NONE, TransportSettings.DEFAULT);
        RawSocket raw = new RawSocket(impatient.uri())) {
      raw.write(begin);
      String head = "HTTP/1.1 200 ";
      while (head.startsWith("HTTP/1.1 200 ")) {
        await().until(() -> drip(raw));
        head = raw.readHead();
        raw.readBody(head);
      }
      assertThat(head)
          .startsWith("HTTP/1.1 408 ")
          .containsIgnoringCase("\r\nconnection: close\r\n");
      assertCors(head);
      assertThat(raw.isAtEnd()).isTrue();
      assertThat(impatient.metrics().read("http_answers{status=408}")).isEqualTo(1);
    }
  }

  /** Sends a byte unless an answer has come; asked ten times a second. */
  private static boolean drip(RawSocket raw) throws IOException {
    if (!raw.hasUnreadBytes()) {
      raw.write("x");
    }
    return raw.hasUnreadBytes();
  }

  @Test
  void idleConnectionIsClosedAtTheDeadlineAndAnActiveOneIsNot() throws IOException {
    try (TestRelay impatient =
            new TestRelay(
                TestLimits.handshakeSeconds(4), RateLimits.NONE, TransportSettings.DEFAULT);
        RawSocket silent = new RawSocket(impatient.uri());
        RawSocket upgraded = RawSocket.upgraded(impatient.uri());
        RawSocket busy = new RawSocket(impatient.uri())) {
      await()
          .until(
              () -> {
                busy.write("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(busy.readHead()).startsWith("HTTP/1.1 200 ");
                return silent.hasUnreadBytes();
              });
      assertThat(silent.readHead()).startsWith("HTTP/1.1 408 ");
      assertThat(silent.isAtEnd()).isTrue();
      busy.write("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
      assertThat(busy.readHead()).startsWith("HTTP/1.1 200 ");
      assertThat(busy.isAtEnd()).isTrue(); // without a 408, since no request has begun
      assertThat(upgraded.isServed()).isTrue();
    }
  }

  private String headOf(String request) throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(request);
      return raw.readHead();
    }
  }

  /** The second may have passed between two answers. */
  private static String withoutDate(String head) {
    return head.replaceFirst("(?i)\r\ndate: [^\r]*", "");
  }

  private static void assertCors(String head) {
    assertThat(head)
        .containsIgnoringCase("\r\naccess-control-allow-origin: *\r\n")
        .containsIgnoringCase("\r\naccess-control-allow-headers: *\r\n")
        .containsIgnoringCase("\r\naccess-control-allow-methods: GET, HEAD, OPTIONS\r\n");
  }

  private String statusOf(String request) throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(request);
      return raw.readHead().split(" ")[1];
    }
  }

  private HttpResponse<String> ask(String method, String path, String accept) {
    return Client.httpRequest(method, relay.uri().resolve(path), accept);
  }

  private static void assertCors(HttpResponse<?> answer) {
    assertThat(answer.headers().firstValue("access-control-allow-origin")).contains("*");
    assertThat(answer.headers().firstValue("access-control-allow-headers")).contains("*");
    assertThat(answer.headers().firstValue("access-control-allow-methods")).isPresent();
  }
}
