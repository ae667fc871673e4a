package gambit.core.frames;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages and connections, over a real socket. */
class TransportRulesTest {
  private static final Signer ALICE = Keys.of("alice");

  private final TestRelay relay = new TestRelay();
  private final Client client = relay.connect();

  @AfterEach
  void end() {
    client.close();
    relay.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hello | a message must be a JSON array",
        "{} | a message must be a JSON array",
        "\"REQ\" | a message must be a JSON array",
        "[] | a message must begin with its verb",
        "[7] | a message must begin with its verb",
        "[[\"REQ\"]] | a message must begin with its verb",
        "[\"HELLO\"] | unknown verb",
        "[\"req\",\"a\",{}] | unknown verb",
        "[\"EOSE\",\"a\"] | unknown verb",
        "[\"neg-open\",\"a\",{},\"61\"] | unknown verb",
        "[\"\"] | unknown verb"
      })
  @DisplayName("a NOTICE where the message is no array or the verb is unknown")
  void malformedMessageIsAnsweredWithANotice(String message, String words) {
    client.send(message);
    assertThat(client.next()).isEqualTo("[\"NOTICE\",\"invalid: " + words + "\"]");
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 1000, 50_000})
  @DisplayName("JSON depth is limited, wherever it is deep")
  void nestingDepthIsLimited(int depth) {
    String deep = "[".repeat(depth) + "]".repeat(depth);
    client.send("[\"REQ\",\"q\",{\"kinds\":" + deep + "}]");
    assertThat(client.next()).startsWith("[\"CLOSED\",\"q\",\"invalid: ");
    client.send("[\"REQ\",\"q\",{\"x\":" + deep + "}]");
    assertThat(client.next()).isEqualTo("[\"CLOSED\",\"q\",\"unsupported: unknown filter field\"]");
    Event event = ALICE.sign(relay.now(), 1, Tags.NONE, "x");
    String text = event.toString();
    client.send("[\"EVENT\"," + text.substring(0, text.length() - 1) + ",\"x\":" + deep + "}]");
    assertThat(client.next())
        .isEqualTo("[\"OK\",\"" + event.id() + "\",false,\"invalid: JSON nested too deep\"]");
    client.send(deep);
    assertThat(client.next())
        .isEqualTo("[\"NOTICE\",\"invalid: a message must begin with its verb\"]");
  }

  @Test
  @DisplayName("compression is not taken up, as RFC 7692 lets a server do")
  void compressionIsDeclinedWhenSwitchedOff() throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(
          RawSocket.UPGRADE.replace(
              "Host: x\r\n",
              "Host: x\r\nSec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"));
      assertThat(raw.readHead())
          .startsWith("HTTP/1.1 101 ")
          .doesNotContainIgnoringCase("sec-websocket-extensions");
      assertThat(raw.read().text()).startsWith("[\"AUTH\",");
      raw.sendText("[\"REQ\",\"a\",{\"limit\":0}]");
      assertThat(raw.read().text()).isEqualTo("[\"EOSE\",\"a\"]");
    }
  }

  @Test
  @DisplayName(
      "the relay's own URL is never taken from Host: a request to vanish from Host is refused")
  void relayUrlIsNotTakenFromTheHostHeader() throws IOException {
    Tags elsewhere = new Tags(List.of(List.of("relay", "wss://evil.example/")));
    Event vanish = ALICE.sign(relay.now(), 62, elsewhere, "");
    Event note = client.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "note"));
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(RawSocket.UPGRADE.replace("Host: x", "Host: evil.example"));
      raw.readHead();
      raw.read();
      raw.sendText("[\"EVENT\"," + vanish + "]");
      assertThat(raw.read().text())
          .endsWith(",false,\"invalid: the request to vanish names another relay\"]");
    }
    assertThat(client.queryIds("{}")).containsExactly(note.id().hex());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/foo", "/foo/", "//", "/index.html", "/.well-known/nostr.json", "/%2e"})
  @DisplayName("other paths are 404, not an upgrade")
  void otherPathsAreNotUpgraded(String path) throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(RawSocket.UPGRADE.replace("GET /", "GET " + path));
      assertThat(raw.readHead()).startsWith("HTTP/1.1 404 ");
    }
  }
}
