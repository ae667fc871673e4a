package gambit.core.frames;

import static gambit.core.testkit.RawSocket.BINARY;
import static gambit.core.testkit.RawSocket.CONTINUATION;
import static gambit.core.testkit.RawSocket.FINAL;
import static gambit.core.testkit.RawSocket.PING;
import static gambit.core.testkit.RawSocket.PONG;
import static gambit.core.testkit.RawSocket.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fragmented messages (RFC 6455, section 5.4) and invalid UTF-8 (section 8.1). */
class FragmentedMessagesTest {
  private static final TestRelay RELAY = new TestRelay();
  private static final int LIMIT = 128 * 1024;

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

  @Test
  void pingsBetweenFragmentsAreAnsweredAtOnceAndPongsIgnored() throws IOException {
    byte[] text = request("a", 100);
    for (int i = 0; i < text.length; i++) {
      raw.sendFrame(i == 0 ? TEXT : CONTINUATION, new byte[] {text[i]});
      raw.sendFrame(FINAL | PONG, new byte[0]);
      if (i % 10 == 0) {
        raw.sendFrame(FINAL | PING, new byte[] {(byte) i});
        RawSocket.ReceivedFrame pong = raw.read();
        assertThat(pong.firstByte()).isEqualTo(FINAL | PONG);
        assertThat(pong.payload()).containsExactly(i);
      }
    }
    raw.sendFrame(FINAL | CONTINUATION, new byte[0]);
    assertThat(raw.read().text()).isEqualTo("[\"EOSE\",\"a\"]");
  }

  @Test
  void fragmentsMayBeEmpty() throws IOException {
    byte[] text = request("a", 100);
    raw.sendFrame(TEXT, new byte[0]);
    raw.sendFrame(CONTINUATION, new byte[0]);
    raw.sendFrame(CONTINUATION, text);
    raw.sendFrame(CONTINUATION, new byte[0]);
    raw.sendFrame(FINAL | CONTINUATION, new byte[0]);
    assertThat(raw.read().text()).isEqualTo("[\"EOSE\",\"a\"]");
    raw.sendFrame(TEXT, new byte[0]);
    raw.sendFrame(FINAL | CONTINUATION, new byte[0]);
    assertThat(raw.read().text()).startsWith("[\"NOTICE\",\"invalid: ");
    assertThat(raw.isServed()).isTrue();
  }

  @Test
  void longestMessageMayArriveInFragmentsOfOneByte() throws IOException {
    raw.write(inPieces(request("a", LIMIT), 1));
    assertThat(raw.read().text()).isEqualTo("[\"EOSE\",\"a\"]");
    raw.write(inPieces(request("b", LIMIT + 1), 1));
    assertThat(raw.readCloseAndEnd()).isEqualTo(1009);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 125, 126, 127, 1000, 65_535, 65_536, LIMIT - 1, LIMIT})
  void longestMessageMayArriveInFragmentsOfAnySize(int size) throws IOException {
    raw.write(inPieces(request("a", LIMIT), size));
    assertThat(raw.read().text()).isEqualTo("[\"EOSE\",\"a\"]");
    raw.write(inPieces(request("b", LIMIT + 1), size));
    assertThat(raw.readCloseAndEnd()).isEqualTo(1009);
  }

  @Test
  void endlessMessageIsClosedAsSoonAsItIsTooLong() throws IOException {
    byte[] piece = new byte[LIMIT / 4];
    Arrays.fill(piece, (byte) ' ');
    raw.sendFrame(TEXT, piece);
    for (int i = 0; i < 3; i++) {
      raw.sendFrame(CONTINUATION, piece);
    }
    raw.sendFrame(CONTINUATION, new byte[] {' '});
    assertThat(raw.readCloseAndEnd()).isEqualTo(1009);
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "a continuation of nothing, 80 '' ",
    "one that is not the last, 00 '' ",
    "a continuation of a message that is whole, 81:5b5d 80:20",
    "a text in an unfinished text, 01:5b 81:5d",
    "a text that begins in an unfinished text, 01:5b 01:5d",
    "a binary message in an unfinished text, 01:5b 82:5d",
    "a text in an unfinished binary message, 02:5b 81:5d",
    "a ping in pieces, 09:41",
    "a pong in pieces, 0a:41",
    "a goodbye in pieces, 08:03e8",
    "the rest of a ping, 01:5b 09:41 80:42"
  })
  void aProtocolError(String what, String frames) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String frame : frames.replace("''", "").trim().split(" +")) {
      String[] parts = (frame + ":").split(":", 3);
      all.writeBytes(RawSocket.maskedFrame(Integer.parseInt(parts[0], 16), hex(parts[1])));
    }
    raw.write(all.toByteArray());
    RawSocket.ReceivedFrame next = raw.read();
    if (next.opcode() == TEXT) { // the answer to a complete message
      next = raw.read();
    }
    assertThat(next.closeCode()).as(what).isEqualTo(1002);
    assertThat(raw.isAtEnd()).isTrue();
  }

  @Test
  void fragmentedBinaryMessageIsClosedWhenItIsComplete() throws IOException {
    raw.sendFrame(BINARY, new byte[] {(byte) 0xff});
    raw.sendFrame(FINAL | PING, new byte[0]);
    assertThat(raw.read().opcode()).isEqualTo(PONG);
    raw.sendFrame(FINAL | CONTINUATION, new byte[] {(byte) 0xfe});
    assertThat(raw.readCloseAndEnd()).isEqualTo(1003);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "7f",
        "c280",
        "dfbf",
        "e0a080",
        "ed9fbf",
        "ee8080",
        "efbfbd",
        "efbfbe",
        "efbfbf",
        "f0908080",
        "f0bfbfbf",
        "f48fbfbf",
        "f09f9880"
      })
  void characterMayBeSplitAtAnyByte(String character) throws IOException {
    byte[] name = hex(character);
    byte[] text = join(ascii("[\"REQ\",\""), name, ascii("\",{\"limit\":0}]"));
    for (int cut = 8; cut <= 8 + name.length; cut++) {
      raw.sendFrame(TEXT, Arrays.copyOf(text, cut));
      raw.sendFrame(FINAL | CONTINUATION, Arrays.copyOfRange(text, cut, text.length));
      assertThat(raw.read().payload()).isEqualTo(join(ascii("[\"EOSE\",\""), name, ascii("\"]")));
    }
    raw.write(inPieces(text, 1));
    assertThat(raw.read().opcode()).isEqualTo(TEXT);
    assertThat(raw.isServed()).isTrue();
  }

  /** Prefixes that no continuation makes valid UTF-8, up to the first invalid byte. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "80",
        "bf",
        "c0",
        "c1",
        "f5",
        "f8",
        "fc",
        "fe",
        "ff",
        "c27f",
        "c2c0",
        "e080",
        "e09f",
        "eda0",
        "edbf",
        "f080",
        "f08f",
        "f490",
        "f4bf",
        "e1807f",
        "e180c0",
        "f18080ff",
        "f0908041",
        "efbf41"
      })
  void invalidUtf8IsClosedWith1007BeforeTheRestOfTheMessageArrives(String fault)
      throws IOException {
    byte[] bytes = hex(fault);
    raw.write(inPieces(request("before", 100), 30)); // another text, of which nothing is left
    assertThat(raw.read().text()).isEqualTo("[\"EOSE\",\"before\"]");
    raw.sendFrame(TEXT, join(ascii("[\"REQ\",\"é"), Arrays.copyOf(bytes, bytes.length - 1)));
    raw.sendFrame(FINAL | PING, new byte[0]);
    assertThat(raw.read().opcode()).as("so far it may become right").isEqualTo(PONG);
    raw.sendFrame(CONTINUATION, new byte[] {bytes[bytes.length - 1]});
    assertThat(raw.readCloseAndEnd()).isEqualTo(1007);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"80", "c0af", "eda080edb080", "f4908080", "f7bfbfbf", "c3", "e282", "ff"})
  void invalidUtf8IsClosedWith1007AtAnyPositionOfAnyMessage(String fault) throws IOException {
    byte[] bytes = hex(fault);
    byte[][] messages = {
      bytes,
      join(ascii("garbage "), bytes),
      join(ascii("[\""), bytes, ascii("\"]")),
      join(ascii("[\"REQ\",\""), bytes, ascii("\",{\"limit\":0}]")),
      join(ascii("[\"REQ\",\"a\",{\"#t\":[\""), bytes, ascii("\"]}]")),
      join(ascii("[\"REQ\",\"a\",{}]"), bytes),
      join(ascii("[\"EVENT\",{\"content\":\""), bytes, ascii("\"}]")),
      join(ascii("[\"EVENT\",{}]"), bytes),
      join(ascii("[\"EVENT\","), bytes),
      join(ascii("[\"CLOSE\",\""), bytes, ascii("\"]")),
      join(ascii("[\"HELLO\","), bytes)
    };
    for (byte[] message : messages) {
      for (int cut : new int[] {0, message.length / 2, message.length}) {
        try (RawSocket other = RawSocket.upgraded(RELAY.uri())) {
          if (cut > 0) {
            other.sendFrame(TEXT, Arrays.copyOf(message, cut));
          }
          byte[] rest = Arrays.copyOfRange(message, cut, message.length);
          other.sendFrame(FINAL | (cut > 0 ? CONTINUATION : TEXT), rest);
          assertThat(other.readCloseAndEnd())
              .as(new String(message, StandardCharsets.ISO_8859_1))
              .isEqualTo(1007);
        }
      }
    }
  }

  /** A message in frames of that size. */
  private static byte[] inPieces(byte[] message, int size) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int from = 0; from < message.length; from += size) {
      int to = Math.min(message.length, from + size);
      int first = (from == 0 ? TEXT : CONTINUATION) | (to == message.length ? FINAL : 0);
      out.writeBytes(RawSocket.maskedFrame(first, Arrays.copyOfRange(message, from, to)));
    }
    return out.toByteArray();
  }

  private static byte[] request(String name, int length) {
    String request = "[\"REQ\",\"" + name + "\",{\"limit\":0}]";
    return ascii(request + " ".repeat(length - request.length()));
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }
}
