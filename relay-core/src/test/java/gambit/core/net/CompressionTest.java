package gambit.core.net;

import static gambit.core.testkit.RawSocket.BINARY;
import static gambit.core.testkit.RawSocket.CLOSE;
import static gambit.core.testkit.RawSocket.CONTINUATION;
import static gambit.core.testkit.RawSocket.FINAL;
import static gambit.core.testkit.RawSocket.PING;
import static gambit.core.testkit.RawSocket.PONG;
import static gambit.core.testkit.RawSocket.RSV1;
import static gambit.core.testkit.RawSocket.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.limit.LimitValues;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.rate.RateLimits;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.TestRelay;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compressed messages of clients (RFC 7692, sections 6 and 7.2). */
class CompressionTest {
  private static final int LIMIT = 128 * 1024;
  private static final int COMPRESSED_TEXT = FINAL | RSV1 | TEXT;
  private static final String EOSE = "[\"EOSE\",\"a\"]";

  private static final TestRelay RELAY =
      new TestRelay(
          LimitValues.DEFAULT, RateLimits.NONE, new TransportSettings(true, TrustedProxies.NONE));

  private RawSocket raw;

  @BeforeEach
  void connect() throws IOException {
    raw = RawSocket.compressing(RELAY.uri());
  }

  @AfterEach
  void disconnect() throws IOException {
    raw.close();
  }

  @AfterAll
  static void end() {
    RELAY.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 6, 9})
  void messagesOfAnyCompressionLevelAreRead(int level) throws IOException {
    raw.sendFrame(COMPRESSED_TEXT, deflated(request(1000), level, Deflater.DEFAULT_STRATEGY));
    assertThat(raw.read().text()).isEqualTo(EOSE);
    raw.sendFrame(COMPRESSED_TEXT, deflated(request(LIMIT), level, Deflater.HUFFMAN_ONLY));
    assertThat(raw.read().text()).isEqualTo(EOSE);
  }

  @Test
  void compressedAndUncompressedMessagesMayAlternate() throws IOException {
    for (int i = 0; i < 20; i++) {
      raw.sendFrame(COMPRESSED_TEXT, deflated(request(100 + i)));
      assertThat(raw.read().text()).isEqualTo(EOSE);
      raw.sendFrame(FINAL | TEXT, request(100));
      assertThat(raw.read().text()).isEqualTo(EOSE);
      raw.sendFrame(FINAL | PING, new byte[] {(byte) i});
      assertThat(raw.read().firstByte()).isEqualTo(FINAL | PONG);
    }
  }

  @Test
  void compressedMessageMayBeSplitIntoFragmentsOfAnySize() throws IOException {
    byte[] message = deflated(request(300));
    for (int size = 1; size <= message.length; size++) {
      raw.write(inPieces(message, size));
      assertThat(raw.read().text()).isEqualTo(EOSE);
    }
    raw.sendFrame(RSV1 | TEXT, new byte[0]);
    raw.sendFrame(CONTINUATION, message);
    raw.sendFrame(FINAL | PING, new byte[0]);
    assertThat(raw.read().opcode()).isEqualTo(PONG);
    raw.sendFrame(FINAL | CONTINUATION, new byte[0]);
    assertThat(raw.read().text()).isEqualTo(EOSE);
  }

  /**
   * The examples of section 7.2.3, each of which says "Hello", and others beside them: what is not
   * an array is told so.
   */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "a fixed block, f248cdc9c90700",
    "a block that is not compressed, 000500faff48656c6c6f00",
    "the final block of its stream, f348cdc9c9070000",
    "two blocks, f248050000 00ffff cac9c90700",
    "many blocks, 000100feff48 000100feff65 000200fdff6c6c 000100feff6f 00",
    "an empty stream and then a block, 0300 f248cdc9c90700",
    "many empty streams and then a block, 0300 0300 0300 0300 f248cdc9c90700",
    "two streams, 4b0400 f248cdc9c90700"
  })
  void messagesOfAnyDeflateBlocksAreRead(String what, String blocks) throws IOException {
    raw.sendFrame(COMPRESSED_TEXT, HexFormat.of().parseHex(blocks.replace(" ", "")));
    assertThat(raw.read().text())
        .as(what)
        .isEqualTo("[\"NOTICE\",\"invalid: a message must be a JSON array\"]");
    assertThat(raw.isServed()).isTrue();
  }

  @Test
  void emptyMessageIsRead() throws IOException {
    raw.sendFrame(COMPRESSED_TEXT, new byte[] {0});
    assertThat(raw.read().text()).startsWith("[\"NOTICE\",\"invalid: ");
    assertThat(raw.isServed()).isTrue();
  }

  @Test
  void messagesShareNoCompressionContext() throws IOException {
    Deflater remembering = new Deflater(9, true);
    byte[] first = deflated(remembering, request(200));
    byte[] second = deflated(remembering, request(200)); // refers to the first
    remembering.end();
    assertThat(second).hasSizeLessThan(first.length);
    raw.sendFrame(COMPRESSED_TEXT, first);
    assertThat(raw.read().text()).isEqualTo(EOSE);
    raw.sendFrame(COMPRESSED_TEXT, second);
    assertThat(raw.readCloseAndEnd()).isEqualTo(1007);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "a type of block that there is not, 0700",
    "a stored block with lengths that do not match, 000500000048656c6c6f00",
    "a distance before the begin, 5b0b5b00a16500",
    "no block at all, ''",
    "a fixed block that is cut off, f248cdc9",
    "a stored block that is cut off, 000500faff4865",
    "a dynamic block that is cut off, 05c0",
    "a stream that is final and not followed by a block, f348cdc9c907",
    "a block and then garbage, f248cdc9c907ffffffff"
  })
  void corruptDataIsClosedWith1007(String what, String blocks) throws IOException {
    raw.sendFrame(COMPRESSED_TEXT, HexFormat.of().parseHex(blocks));
    assertThat(raw.readCloseAndEnd()).as(what).isEqualTo(1007);
  }

  @Test
  void truncatedMessageIsNeverReadAsAShorterOne() throws IOException {
    byte[] message = deflated(("[\"REQ\",\"a\",{\"limit\":0}]" + " ".repeat(40) + "x").getBytes());
    for (int length = 0; length < message.length; length++) {
      try (RawSocket cut = RawSocket.compressing(RELAY.uri())) {
        cut.sendFrame(COMPRESSED_TEXT, Arrays.copyOf(message, length));
        assertThat(cut.readCloseAndEnd())
            .as("%s of %s bytes", length, message.length)
            .isEqualTo(1007);
      }
    }
  }

  @Test
  void anyBytesAreAnsweredOrClosed() throws IOException {
    Random random = new Random(6);
    byte[] right = deflated(request(200));
    for (int i = 0; i < TestEffort.of(30, 300); i++) {
      byte[] spoilt = right.clone();
      if (i % 2 == 0) {
        random.nextBytes(spoilt);
      } else {
        spoilt[random.nextInt(spoilt.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try (RawSocket other = RawSocket.compressing(RELAY.uri())) {
        other.sendFrame(COMPRESSED_TEXT, spoilt);
        RawSocket.ReceivedFrame answer = other.read();
        if (answer.opcode() == CLOSE) {
          assertThat(answer.closeCode()).isIn(1007, 1009);
          assertThat(other.isAtEnd()).isTrue();
        } else {
          assertThat(other.isServed()).isTrue();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ff", "5b22c0af225d", "5b22c3", "eda080"})
  void messageThatInflatesToInvalidUtf8IsClosedWith1007(String text) throws IOException {
    raw.sendFrame(COMPRESSED_TEXT, deflated(HexFormat.of().parseHex(text)));
    assertThat(raw.readCloseAndEnd()).isEqualTo(1007);
  }

  @Test
  void compressedBinaryMessageIsClosedWith1003() throws IOException {
    raw.sendFrame(FINAL | RSV1 | BINARY, deflated(request(100)));
    assertThat(raw.readCloseAndEnd()).isEqualTo(1003);
  }

  @Test
  void truncatedBinaryMessageIsClosedWith1007() throws IOException {
    raw.sendFrame(FINAL | RSV1 | BINARY, HexFormat.of().parseHex("000900f6ff48"));
    assertThat(raw.readCloseAndEnd()).isEqualTo(1007);
  }

  @Test
  void limitAppliesToTheInflatedMessage() throws IOException {
    raw.sendFrame(COMPRESSED_TEXT, deflated(request(LIMIT)));
    assertThat(raw.read().text()).isEqualTo(EOSE);
    raw.write(inPieces(deflated(request(LIMIT)), 10));
    assertThat(raw.read().text()).isEqualTo(EOSE);
    raw.sendFrame(COMPRESSED_TEXT, deflated(request(LIMIT + 1)));
    assertThat(raw.readCloseAndEnd()).isEqualTo(1009);
  }

  @Test
  void incompressibleMessageMayHaveTheFullLength() throws IOException {
    byte[] noise = new byte[LIMIT];
    new Random(7).nextBytes(noise);
    for (int i = 0; i < noise.length; i++) {
      noise[i] &= 0x7f;
    }
    for (int level : new int[] {0, 1, 9}) {
      raw.sendFrame(COMPRESSED_TEXT, deflated(noise, level, Deflater.DEFAULT_STRATEGY));
      assertThat(raw.read().text()).startsWith("[\"NOTICE\",\"invalid: ");
    }
    raw.sendFrame(FINAL | TEXT, new byte[LIMIT]);
    assertThat(raw.read().text()).startsWith("[\"NOTICE\",\"invalid: ");
    raw.sendFrame(FINAL | TEXT, new byte[LIMIT + 1]);
    assertThat(raw.readCloseAndEnd()).as("not compressed").isEqualTo(1009);
  }

  @Test
  void frameTooLongForAnyMessageIsRefusedBeforeItArrives() throws IOException {
    raw.write(HexFormat.of().parseHex("c1ff0000000000030000"));
    assertThat(raw.readCloseAndEnd()).isEqualTo(1009);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 50, 20_000})
  void compressionBombIsClosedOnceItIsTooLong(int pieces) throws IOException {
    byte[] bomb = deflated(request(20 << 20), 9, Deflater.DEFAULT_STRATEGY);
    assertThat(bomb).hasSizeBetween(18_000, LIMIT);
    raw.write(inPieces(bomb, Math.max(1, bomb.length / pieces)));
    assertThat(raw.readCloseAndEnd()).isEqualTo(1009);
  }

  static IntStream wrongBits() {
    return IntStream.of(CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG)
        .flatMap(
            opcode ->
                IntStream.rangeClosed(1, 7)
                    .filter(bits -> bits != 4 || opcode != TEXT && opcode != BINARY)
                    .map(bits -> FINAL | bits << 4 | opcode));
  }

  @ParameterizedTest
  @MethodSource("wrongBits")
  void otherReservedBitsAreProtocolErrors(int first) throws IOException {
    if ((first & 15) == CONTINUATION) {
      raw.sendFrame(RSV1 | TEXT, new byte[0]);
    }
    raw.sendFrame(first, new byte[0]);
    assertThat(raw.readCloseAndEnd()).isEqualTo(1002);
  }

  /** A compressed message in frames of that size. */
  private static byte[] inPieces(byte[] message, int size) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int from = 0; from < message.length; from += size) {
      int to = Math.min(message.length, from + size);
      int first = (from == 0 ? RSV1 | TEXT : CONTINUATION) | (to == message.length ? FINAL : 0);
      out.writeBytes(RawSocket.maskedFrame(first, Arrays.copyOfRange(message, from, to)));
    }
    return out.toByteArray();
  }

  private static byte[] request(int length) {
    byte[] padded = new byte[length];
    Arrays.fill(padded, (byte) ' ');
    byte[] request = "[\"REQ\",\"a\",{\"limit\":0}]".getBytes(StandardCharsets.UTF_8);
    System.arraycopy(request, 0, padded, 0, request.length);
    return padded;
  }

  private static byte[] deflated(byte[] message) {
    return deflated(message, 6, Deflater.DEFAULT_STRATEGY);
  }

  private static byte[] deflated(byte[] message, int level, int strategy) {
    Deflater deflater = new Deflater(level, true);
    deflater.setStrategy(strategy);
    byte[] deflated = deflated(deflater, message);
    deflater.end();
    return deflated;
  }

  private static byte[] deflated(Deflater deflater, byte[] message) {
    deflater.setInput(message);
    byte[] out = new byte[message.length + message.length / 100 + 100];
    int length = 0;
    int more = 0;
    while (more > 0 || length == 0) { // no output at first where the strategy was changed
      more = deflater.deflate(out, length, out.length - length, Deflater.SYNC_FLUSH);
      length += more;
    }
    return Arrays.copyOf(out, length - 4); // section 7.2.1
  }
}
