package gambit.core.frames;

import static gambit.core.testkit.RawSocket.BINARY;
import static gambit.core.testkit.RawSocket.CLOSE;
import static gambit.core.testkit.RawSocket.CONTINUATION;
import static gambit.core.testkit.RawSocket.FINAL;
import static gambit.core.testkit.RawSocket.PING;
import static gambit.core.testkit.RawSocket.PONG;
import static gambit.core.testkit.RawSocket.TEXT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSocket frames byte by byte (RFC 6455). */
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class WebSocketFramesTest {
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

  @ParameterizedTest
  @ValueSource(strings = {"00000000", "ffffffff", "5b5b5b5b", "12003400"})
  void anyMaskIsAccepted(String mask) throws IOException {
    byte[] text = bytes("[\"REQ\",\"a\",{\"limit\":0}]");
    byte[] key = HexFormat.of().parseHex(mask);
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(FINAL | TEXT);
    frame.write(0x80 | text.length);
    frame.writeBytes(key);
    for (int i = 0; i < text.length; i++) {
      frame.write(text[i] ^ key[i % 4]);
    }
    raw.write(frame.toByteArray());
    assertThat(raw.read().text()).isEqualTo(EOSE);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 125, 126, 127, 65_535, 65_536})
  void lengthsAreSentInTheFewestBytes(int length) throws IOException {
    raw.sendFrame(FINAL | TEXT, new byte[length]);
    assertThat(raw.read().text()).startsWith("[\"NOTICE\",\"invalid: ");
    assertThat(raw.isServed()).isTrue();
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "81fe007d, 125 in 16 bits",
    "81fe0000, 0 in 16 bits",
    "81ff000000000000007d, 125 in 64 bits",
    "81ff000000000000ffff, 65535 in 64 bits",
    "81ff8000000000000000, the lowest negative number",
    "81ffffffffffffffffff, -1",
    "89fe0080, a ping of 128 bytes",
    "8a7f, a pong without a mask",
    "8900, an empty ping without a mask",
    "8800, a goodbye without a mask",
    "0100, the begin of a text without a mask"
  })
  void overlongLengthOrMissingMaskIsAProtocolError(String frame, String what) throws IOException {
    raw.write(HexFormat.of().parseHex(frame));
    raw.write(new byte[4]); // a mask
    assertThat(raw.readCloseAndEnd()).as(what).isEqualTo(1002);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"81ff0000000000020001", "81ff0000000080000000", "81ff7fffffffffffffff"})
  void tooLongFrameIsRefusedBeforeItsPayloadArrives(String frame) throws IOException {
    raw.write(HexFormat.of().parseHex(frame));
    assertThat(raw.readCloseAndEnd()).isEqualTo(1009);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(ints = {3, 4, 5, 6, 7, 0xb, 0xc, 0xd, 0xe, 0xf})
  void reservedOpcodeIsAProtocolError(int opcode) throws IOException {
    raw.sendFrame(FINAL | opcode, new byte[0]);
    assertThat(raw.readCloseAndEnd()).isEqualTo(1002);
  }

  static IntStream reservedBits() {
    return IntStream.of(CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG)
        .flatMap(
            opcode -> IntStream.rangeClosed(1, 7).map(reserved -> FINAL | reserved << 4 | opcode));
  }

  @ParameterizedTest
  @MethodSource("reservedBits")
  void reservedBitIsAProtocolErrorOnAnyFrame(int first) throws IOException {
    if ((first & 15) == CONTINUATION) {
      raw.sendFrame(TEXT, bytes("["));
    }
    raw.sendFrame(first, new byte[0]);
    assertThat(raw.readCloseAndEnd()).isEqualTo(1002);
  }

  @Test
  void framesMayFollowTheUpgradeRequestInOnePacket() throws IOException {
    try (RawSocket eager = new RawSocket(relay.uri())) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.writeBytes(bytes(RawSocket.UPGRADE));
      all.writeBytes(RawSocket.maskedFrame(FINAL | TEXT, bytes("[\"HELLO\"]")));
      all.writeBytes(RawSocket.maskedFrame(FINAL | TEXT, bytes("[\"REQ\",\"a\",{\"limit\":0}]")));
      all.writeBytes(RawSocket.maskedFrame(FINAL | TEXT, bytes("[\"REQ\",\"b\",{\"limit\":0}]")));
      eager.write(all.toByteArray());
      eager.readUpgradeAnswer();
      assertThat(eager.read().text()).startsWith("[\"NOTICE\",");
      assertThat(eager.read().text()).isEqualTo(EOSE);
      assertThat(eager.read().text()).isEqualTo("[\"EOSE\",\"b\"]");
      assertThat(eager.isServed()).isTrue();
    }
  }

  /** The first read may take more when this thread waits for long: then it connects again. */
  @Test
  void challengeReachesAClientThatDropsWhatItReadsTogetherWithTheHandshake() {
    await()
        .until(
            () -> {
              Socket socket = new Socket(relay.uri().getHost(), relay.uri().getPort());
              try (RawSocket dropping = new RawSocket(socket)) {
                dropping.write(RawSocket.UPGRADE);
                assertThat(socket.getInputStream().read(new byte[4096])).isPositive();
                dropping.sendText("[\"REQ\",\"a\",{\"limit\":0}]");
                return dropping.read().text().startsWith("[\"AUTH\",");
              }
            });
  }

  @Test
  void framesMayArriveByteByByte() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(RawSocket.maskedFrame(TEXT, bytes("[\"REQ\",")));
    all.writeBytes(RawSocket.maskedFrame(FINAL | PING, bytes("é")));
    byte[] rest = bytes("\"a\",{\"limit\":0}]" + " ".repeat(200));
    all.writeBytes(RawSocket.maskedFrame(FINAL | CONTINUATION, rest));
    for (byte one : all.toByteArray()) {
      raw.write(new byte[] {one});
    }
    assertThat(raw.read().text()).isEqualTo("é");
    assertThat(raw.read().text()).isEqualTo(EOSE);
    for (byte one : RawSocket.maskedFrame(FINAL | CLOSE, new byte[] {0x0b, (byte) 0xb8})) {
      raw.write(new byte[] {one});
    }
    assertThat(raw.readCloseAndEnd()).isEqualTo(3000);
  }

  @Test
  void packetsMayEndAtAnyByte() throws IOException {
    byte[] first = RawSocket.maskedFrame(FINAL | TEXT, bytes("[\"REQ\",\"a\",{\"limit\":0}]"));
    byte[] second = RawSocket.maskedFrame(FINAL | TEXT, bytes("[\"REQ\",\"b\",{\"limit\":0}]"));
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    for (int cut = 1; cut < both.length; cut++) {
      raw.write(Arrays.copyOf(both, cut));
      if (cut >= first.length) {
        assertThat(raw.read().text()).isEqualTo(EOSE);
      }
      raw.write(Arrays.copyOfRange(both, cut, both.length));
      if (cut < first.length) {
        assertThat(raw.read().text()).isEqualTo(EOSE);
      }
      assertThat(raw.read().text()).isEqualTo("[\"EOSE\",\"b\"]");
    }
  }

  @Test
  void fragmentedMessageMayContainAPing() throws IOException {
    raw.sendFrame(TEXT, bytes("[\"REQ\",\"a\","));
    raw.sendFrame(CONTINUATION, new byte[0]);
    raw.sendFrame(FINAL | PING, bytes("still there?"));
    raw.sendFrame(FINAL | CONTINUATION, bytes("{\"limit\":0}]"));
    RawSocket.ReceivedFrame pong = raw.read();
    assertThat(pong.opcode()).isEqualTo(PONG);
    assertThat(pong.text()).isEqualTo("still there?");
    assertThat(raw.read().text()).isEqualTo(EOSE);
  }

  @Test
  void unsolicitedPongIsIgnored() throws IOException {
    raw.sendFrame(FINAL | PONG, bytes("x"));
    assertThat(raw.isServed()).isTrue();
  }

  @Test
  void messageOfExactlyTheLimitIsAccepted() throws IOException {
    raw.sendText(padded(128 * 1024));
    assertThat(raw.read().text()).isEqualTo(EOSE);
  }

  @Test
  void tooLongMessageIsClosedWith1009() throws IOException {
    raw.sendText(padded(128 * 1024 + 1));
    assertThat(raw.readCloseAndEnd()).isEqualTo(1009);
  }

  @Test
  void binaryMessageIsClosedWith1003() throws IOException {
    raw.sendFrame(FINAL | BINARY, bytes("[\"REQ\",\"a\",{}]"));
    assertThat(raw.readCloseAndEnd()).isEqualTo(1003);
  }

  @Test
  void shutdownSendsCloseFrame1001() throws IOException {
    relay.close();
    assertThat(raw.readCloseAndEnd()).isEqualTo(1001);
  }

  @Test
  void newestOfManyUnreadPingsIsAnswered() throws IOException {
    try (Client writer = relay.connect()) {
      for (int i = 0; i < 150; i++) {
        writer.publish(Keys.of("alice"), relay.now(), 1, "x".repeat(60_000) + i);
        writer.next();
      }
    }
    int pings = 60_000; // whose answers alone are more than the socket takes
    int pongs = 0;
    String newest = "";
    boolean ended = false;
    try (RawSocket sleeper = RawSocket.withSmallReceiveBuffer(relay.uri())) {
      sleeper.sendText("[\"REQ\",\"all\",{}]");
      for (int i = 0; i < pings; i++) {
        sleeper.sendFrame(FINAL | PING, bytes("ping " + i + " ".repeat(100)));
      }
      sleeper.sendText("[\"REQ\",\"behind them\",{\"limit\":0}]");
      await().until(() -> relay.metrics().read("subscriptions") == 2);
      while (!ended || !newest.startsWith("ping " + (pings - 1) + " ")) {
        RawSocket.ReceivedFrame frame = sleeper.read();
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
  void silentClientIsPingedAndThenDisconnected() throws IOException {
    LimitValues impatient = TestLimits.builder().set(Limit.SILENT_SECONDS, 1).build();
    try (TestRelay other = new TestRelay(impatient, new MemoryEventStore(1 << 20));
        RawSocket silent = RawSocket.upgraded(other.uri())) {
      assertThat(silent.read().opcode()).isEqualTo(PING);
      assertThat(silent.isAtEnd()).isTrue();
    }
  }

  @Test
  void closeFrameOfAClientThatDoesNotReadEndsItsConnection() throws IOException {
    try (Client writer = relay.connect()) {
      for (int i = 0; i < 150; i++) {
        writer.publish(Keys.of("alice"), relay.now(), 1, "x".repeat(60_000) + i);
        writer.next();
      }
      raw.sendText("[\"REQ\",\"all\",{}]");
      raw.sendFrame(FINAL | CLOSE, new byte[] {0x03, (byte) 0xe8});
      await().until(() -> relay.metrics().read("connections") == 1);
    }
  }

  private static String padded(int length) {
    String request = "[\"REQ\",\"a\",{\"limit\":0}]";
    return request + " ".repeat(length - request.length());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
