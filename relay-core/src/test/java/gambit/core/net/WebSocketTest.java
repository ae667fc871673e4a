package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.session.Limits;
import gambit.core.store.MemoryEventStore;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** WebSocket frames byte by byte (RFC 6455). */
class WebSocketTest {
  private static final int TEXT = 0x1;
  private static final int CONTINUATION = 0x0;
  private static final int CLOSE = 0x8;
  private static final int PING = 0x9;
  private static final int PONG = 0xa;
  private static final int FINAL = 0x80;
  private static final String EOSE = "[\"EOSE\",\"a\"]";

  private final TestRelay relay = new TestRelay();
  private RawSocket raw;

  @BeforeEach
  void connect() throws IOException {
    raw = RawSocket.upgraded(relay.uri());
  }

  @AfterEach
  void end() throws IOException {
    raw.close();
    relay.close();
  }

  @Test
  void aMessageMayComeInPiecesWithAPingInBetween() throws IOException {
    raw.frame(TEXT, bytes("[\"REQ\",\"a\","));
    raw.frame(CONTINUATION, new byte[0]);
    raw.frame(FINAL | PING, bytes("still there?"));
    raw.frame(FINAL | CONTINUATION, bytes("{\"limit\":0}]"));
    RawSocket.Received pong = raw.read();
    assertThat(pong.opcode()).isEqualTo(PONG);
    assertThat(pong.text()).isEqualTo("still there?");
    assertThat(raw.read().text()).isEqualTo(EOSE);
  }

  @Test
  void aCharacterMayBeSplitBetweenTwoPieces() throws IOException {
    byte[] text = bytes("[\"REQ\",\"é\",{\"limit\":0}]");
    raw.frame(TEXT, java.util.Arrays.copyOf(text, 9));
    raw.frame(FINAL | CONTINUATION, java.util.Arrays.copyOfRange(text, 9, text.length));
    assertThat(raw.read().text()).isEqualTo("[\"EOSE\",\"é\"]");
  }

  @Test
  void aPongThatNobodyAskedForIsIgnored() throws IOException {
    raw.frame(FINAL | PONG, bytes("x"));
    assertStillServed();
  }

  @Test
  void aMessageOfExactlyTheLimitIsRead() throws IOException {
    raw.text(padded(128 * 1024));
    assertThat(raw.read().text()).isEqualTo(EOSE);
  }

  @Test
  void aMessageBeyondTheLimitIsClosedWith1009() throws IOException {
    raw.text(padded(128 * 1024 + 1));
    assertClosedWith(1009);
  }

  @Test
  void piecesThatTogetherAreBeyondTheLimitAreClosedWith1009() throws IOException {
    byte[] whole = bytes(padded(128 * 1024 + 1));
    raw.frame(TEXT, java.util.Arrays.copyOf(whole, 100_000));
    raw.frame(FINAL | CONTINUATION, java.util.Arrays.copyOfRange(whole, 100_000, whole.length));
    assertClosedWith(1009);
  }

  @Test
  void aLengthOf64BitsIsClosedBeforeItComes() throws IOException {
    raw.write(new byte[] {(byte) 0x81, (byte) 0xff, 0x7f, -1, -1, -1, -1, -1, -1, -1, 1, 2, 3, 4});
    assertClosedWith(1009);
  }

  @Test
  void binaryIsClosedWith1003() throws IOException {
    raw.frame(FINAL | 0x2, bytes("[\"REQ\",\"a\",{}]"));
    assertClosedWith(1003);
  }

  @Test
  void whatIsNotUtf8IsClosedWith1007() throws IOException {
    raw.frame(FINAL | TEXT, new byte[] {'[', '"', (byte) 0xc0, (byte) 0xaf, '"', ']'});
    assertClosedWith(1007);
  }

  @Test
  void aReservedBitIsAProtocolError() throws IOException {
    raw.frame(FINAL | 0x40 | TEXT, bytes("[]"));
    assertClosedWith(1002);
  }

  @Test
  void aReservedOpcodeIsAProtocolError() throws IOException {
    raw.frame(FINAL | 0x3, bytes("[]"));
    assertClosedWith(1002);
  }

  @Test
  void aContinuationOfNothingIsAProtocolError() throws IOException {
    raw.frame(FINAL | CONTINUATION, bytes("[]"));
    assertClosedWith(1002);
  }

  @Test
  void aSecondBeginningIsAProtocolError() throws IOException {
    raw.frame(TEXT, bytes("["));
    raw.frame(FINAL | TEXT, bytes("]"));
    assertClosedWith(1002);
  }

  @Test
  void aFrameWithoutAMaskIsAProtocolError() throws IOException {
    raw.write(new byte[] {(byte) 0x81, 2, '[', ']'});
    assertClosedWith(1002);
  }

  @Test
  void aPingOfMoreThan125BytesIsAProtocolError() throws IOException {
    raw.frame(FINAL | PING, new byte[126]);
    assertClosedWith(1002);
  }

  @Test
  void aGoodbyeIsReturnedWithItsCode() throws IOException {
    raw.frame(FINAL | CLOSE, new byte[] {0x03, (byte) 0xe8});
    assertClosedWith(1000);
  }

  @Test
  void aGoodbyeWithoutACodeIsReturned() throws IOException {
    raw.frame(FINAL | CLOSE, new byte[0]);
    assertThat(raw.read().opcode()).isEqualTo(CLOSE);
    assertThat(raw.isAtEnd()).isTrue();
  }

  @Test
  void whenTheRelayEndsItSaysSo() throws IOException {
    relay.close();
    assertClosedWith(1001);
  }

  @Test
  void ofManyPingsThatAreNotReadTheNewestIsAnswered() throws IOException {
    try (Client writer = relay.connect()) {
      for (int i = 0; i < 300; i++) {
        writer.publish(Keys.of("alice"), relay.now(), 1, "x".repeat(60_000) + i);
        writer.next();
      }
    }
    int pings = 60_000; // whose answers alone are more than the socket takes
    int pongs = 0;
    String newest = "";
    boolean ended = false;
    try (RawSocket sleeper = RawSocket.sleeper(relay.uri())) {
      sleeper.text("[\"REQ\",\"all\",{}]");
      for (int i = 0; i < pings; i++) {
        sleeper.frame(FINAL | PING, bytes("ping " + i + " ".repeat(100)));
      }
      sleeper.text("[\"REQ\",\"behind them\",{\"limit\":0}]");
      await().until(() -> relay.meters().read("subscriptions") == 2);
      while (!ended || !newest.startsWith("ping " + (pings - 1) + " ")) {
        RawSocket.Received frame = sleeper.read();
        if (frame.opcode() == PONG) {
          pongs++;
          newest = frame.text();
        }
        ended |= frame.opcode() == TEXT && frame.text().equals("[\"EOSE\",\"all\"]");
      }
    }
    assertThat(pongs).isLessThan(pings);
  }

  @Test
  void aClientThatIsSilentIsAskedAndThenDisconnected() throws IOException {
    Limits impatient =
        new Limits(4096, 10, 4096, 10, 10, 10, 10, 10, 10, 10, 1 << 20, 1 << 20, 10, 1, 900, 10, 0);
    try (TestRelay other = new TestRelay(impatient, new MemoryEventStore(1 << 20));
        RawSocket silent = RawSocket.upgraded(other.uri())) {
      assertThat(silent.read().opcode()).isEqualTo(PING);
      assertThat(silent.isAtEnd()).isTrue();
    }
  }

  @Test
  void aGoodbyeOfAClientThatDoesNotReadEndsAllTheSame() throws IOException {
    try (Client writer = relay.connect()) {
      for (int i = 0; i < 300; i++) {
        writer.publish(Keys.of("alice"), relay.now(), 1, "x".repeat(60_000) + i);
        writer.next();
      }
      raw.text("[\"REQ\",\"all\",{}]");
      raw.frame(FINAL | CLOSE, new byte[] {0x03, (byte) 0xe8});
      await().until(() -> relay.meters().read("connections") == 1);
    }
  }

  private void assertStillServed() throws IOException {
    raw.text("[\"REQ\",\"a\",{\"limit\":0}]");
    assertThat(raw.read().text()).isEqualTo(EOSE);
  }

  private void assertClosedWith(int code) throws IOException {
    RawSocket.Received close = raw.read();
    assertThat(close.opcode()).isEqualTo(CLOSE);
    assertThat(close.closeCode()).isEqualTo(code);
    assertThat(raw.isAtEnd()).isTrue();
  }

  private static String padded(int length) {
    String request = "[\"REQ\",\"a\",{\"limit\":0}]";
    return request + " ".repeat(length - request.length());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
