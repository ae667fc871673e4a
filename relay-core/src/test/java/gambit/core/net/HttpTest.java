package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import gambit.core.session.Limits;
import gambit.core.testkit.Client;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** HTTP at the relay's port: NIP-11 and what is around it. */
class HttpTest {
  private final TestRelay relay = new TestRelay();

  @AfterEach
  void end() {
    relay.close();
  }

  @Test
  void theInformationDocumentIsAtTheSameUrlWithAllThreeCorsHeaders() throws Exception {
    HttpResponse<String> answer = ask("GET", "/", "application/nostr+json");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type")).contains("application/nostr+json");
    assertCors(answer);
    JsonNode document = new ObjectMapper().readTree(answer.body());
    Limits limits = Limits.DEFAULT;
    assertThat(document.get("name").asText()).isEqualTo("Test");
    assertThat(document.get("contact").asText()).isEqualTo("mailto:test@gambit.example");
    assertThat(document.has("icon")).isFalse();
    assertThat(document.get("self").asText()).isEqualTo(relay.signer().pubkey().hex());
    assertThat(document.get("supported_nips").toString())
        .isEqualTo("[1,2,4,9,11,13,17,28,40,42,45,59,62,65,70]");
    JsonNode limitation = document.get("limitation");
    assertThat(limitation.get("max_message_length").asInt()).isEqualTo(limits.messageBytes());
    assertThat(limitation.get("max_subscriptions").asInt()).isEqualTo(limits.subscriptions());
    assertThat(limitation.get("max_limit").asInt()).isEqualTo(limits.maxLimit());
    assertThat(limitation.get("default_limit").asInt()).isEqualTo(limits.defaultLimit());
    assertThat(limitation.get("max_event_tags").asInt()).isEqualTo(limits.eventTags());
    assertThat(limitation.get("max_subid_length").asInt()).isEqualTo(64);
    assertThat(limitation.get("created_at_upper_limit").asInt()).isEqualTo(limits.secondsAhead());
  }

  @Test
  void theDocumentIsAlsoFoundAmongOtherTypesAndByHead() {
    assertThat(ask("GET", "/?x=1", "text/html, application/nostr+json;q=0.9").body())
        .startsWith("{");
    HttpResponse<String> head = ask("HEAD", "/", "application/nostr+json");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertCors(head);
  }

  @Test
  void aBrowserMayAskBeforehand() {
    HttpResponse<String> answer = ask("OPTIONS", "/", "*/*");
    assertThat(answer.statusCode()).isEqualTo(204);
    assertCors(answer);
  }

  @Test
  void aPersonWhoLooksIsToldWhatThisIs() {
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
  void anotherVersionOfTheProtocolIsToldWhichOneIsSpoken() throws Exception {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(RawSocket.UPGRADE.replace("Version: 13", "Version: 99"));
      assertThat(raw.readHead())
          .startsWith("HTTP/1.1 426 ")
          .containsIgnoringCase("sec-websocket-version: 13");
    }
  }

  @Test
  void garbageIsABadRequestAndOthersGoOn() throws Exception {
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
  void anUpgradeThatIsNotWhatTheRfcAsksForIsABadRequest() throws Exception {
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
  void theTargetMayBeAbsoluteAndABrokenOneIsNotFound() throws Exception {
    assertThat(statusOf("GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n")).isEqualTo("200");
    assertThat(statusOf("GET http://x HTTP/1.1\r\nHost: x\r\n\r\n")).isEqualTo("200");
    assertThat(statusOf("GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n")).isEqualTo("404");
    assertThat(statusOf("GET * HTTP/1.1\r\nHost: x\r\n\r\n")).isEqualTo("404");
  }

  @Test
  void aClientThatAsksWithoutReadingIsNotServedForEver() throws Exception {
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

  private String statusOf(String request) throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(request);
      return raw.readHead().split(" ")[1];
    }
  }

  private HttpResponse<String> ask(String method, String path, String accept) {
    return Client.ask(method, relay.uri().resolve(path), accept);
  }

  private static void assertCors(HttpResponse<?> answer) {
    assertThat(answer.headers().firstValue("access-control-allow-origin")).contains("*");
    assertThat(answer.headers().firstValue("access-control-allow-headers")).contains("*");
    assertThat(answer.headers().firstValue("access-control-allow-methods")).isPresent();
  }
}
