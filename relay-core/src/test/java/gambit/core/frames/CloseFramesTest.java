package gambit.core.frames;

import static gambit.core.testkit.RawSocket.CLOSE;
import static gambit.core.testkit.RawSocket.CONTINUATION;
import static gambit.core.testkit.RawSocket.FINAL;
import static gambit.core.testkit.RawSocket.PING;
import static gambit.core.testkit.RawSocket.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Close frames of clients, valid and invalid (RFC 6455, sections 5.5.1 and 7.4). */
class CloseFramesTest {
  private static final TestRelay RELAY = new TestRelay();

  private RawSocket raw;

  @BeforeEach
  void connect() throws IOException {
    raw = RawSocket.upgraded(RELAY.uri());
  }

  @AfterEach
  void disconnect() throws IOException {
    raw.close();
  }

  @AfterAll
  static void end() {
    RELAY.close();
  }

  static IntStream codesThatMayBeSent() {
    return IntStream.concat(
        IntStream.of(1000, 1001, 1002, 1003, 3000, 3999, 4000, 4999),
        IntStream.rangeClosed(1007, 1014));
  }

  @ParameterizedTest
  @MethodSource("codesThatMayBeSent")
  void closeCodeIsEchoed(int code) throws IOException {
    raw.sendFrame(FINAL | CLOSE, goodbye(code, "bye"));
    assertThat(raw.read().payload()).isEqualTo(goodbye(code, "bye"));
    assertThat(raw.isAtEnd()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 32_767, 32_768, 65_535
      })
  void reservedCloseCodeIsAProtocolError(int code) throws IOException {
    raw.sendFrame(FINAL | CLOSE, goodbye(code, ""));
    assertThat(raw.readCloseAndEnd()).isEqualTo(1002);
  }

  @Test
  void closeFrameOfOneByteIsAProtocolError() throws IOException {
    raw.sendFrame(FINAL | CLOSE, new byte[] {3});
    assertThat(raw.readCloseAndEnd()).isEqualTo(1002);
  }

  @Test
  void closeFrameWithoutACodeIsAnsweredWithoutOne() throws IOException {
    raw.sendFrame(FINAL | CLOSE, new byte[0]);
    RawSocket.ReceivedFrame goodbye = raw.read();
    assertThat(goodbye.firstByte()).isEqualTo(FINAL | CLOSE);
    assertThat(goodbye.payload()).isEmpty();
    assertThat(raw.isAtEnd()).isTrue();
  }

  @Test
  void longestReasonIsEchoedInFull() throws IOException {
    byte[] longest = goodbye(1000, "é".repeat(61) + "e");
    assertThat(longest).hasSize(125);
    raw.sendFrame(FINAL | CLOSE, longest);
    assertThat(raw.read().payload()).isEqualTo(longest);
    assertThat(raw.isAtEnd()).isTrue();
  }

  @Test
  void tooLongReasonIsAProtocolError() throws IOException {
    raw.sendFrame(FINAL | CLOSE, goodbye(1000, "x".repeat(124)));
    assertThat(raw.readCloseAndEnd()).isEqualTo(1002);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"ff", "c0af", "eda080", "f4908080", "c3", "e282", "6f6bf09f98"})
  void reasonThatIsNotUtf8IsClosedWith1007(String reason) throws IOException {
    ByteArrayOutputStream goodbye = new ByteArrayOutputStream();
    goodbye.writeBytes(goodbye(1000, ""));
    goodbye.writeBytes(HexFormat.of().parseHex(reason));
    raw.sendFrame(FINAL | CLOSE, goodbye.toByteArray());
    assertThat(raw.readCloseAndEnd()).isEqualTo(1007);
  }

  @Test
  void closeFrameBetweenFragmentsIsAnswered() throws IOException {
    raw.sendFrame(TEXT, "[\"REQ\",".getBytes(StandardCharsets.UTF_8));
    raw.sendFrame(FINAL | CLOSE, goodbye(1001, ""));
    assertThat(raw.readCloseAndEnd()).isEqualTo(1001);
  }

  @Test
  void framesAfterACloseFrameAreIgnored() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(RawSocket.maskedFrame(FINAL | CLOSE, goodbye(1000, "")));
    all.writeBytes(RawSocket.maskedFrame(FINAL | PING, new byte[] {1}));
    all.writeBytes(RawSocket.maskedFrame(FINAL | TEXT, "[\"?\"]".getBytes(StandardCharsets.UTF_8)));
    all.writeBytes(RawSocket.maskedFrame(FINAL | CONTINUATION, new byte[0]));
    all.writeBytes(RawSocket.maskedFrame(FINAL | CLOSE, goodbye(1001, "")));
    raw.write(all.toByteArray());
    assertThat(raw.readCloseAndEnd()).isEqualTo(1000);
  }

  @Test
  void framesAfterAProtocolErrorAreIgnored() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(RawSocket.maskedFrame(FINAL | 0xb, new byte[0]));
    all.writeBytes(RawSocket.maskedFrame(FINAL | PING, new byte[] {1}));
    all.writeBytes(RawSocket.maskedFrame(FINAL | CLOSE, goodbye(1000, "")));
    raw.write(all.toByteArray());
    RawSocket.ReceivedFrame goodbye = raw.read();
    assertThat(goodbye.closeCode()).isEqualTo(1002);
    raw.endOutput();
    assertThat(raw.isAtEnd()).isTrue();
  }

  private static byte[] goodbye(int code, String reason) {
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    payload.write(code >> 8);
    payload.write(code);
    payload.writeBytes(reason.getBytes(StandardCharsets.UTF_8));
    return payload.toByteArray();
  }
}
