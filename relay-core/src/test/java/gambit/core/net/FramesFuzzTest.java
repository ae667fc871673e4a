package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import gambit.core.testkit.MutatedInputs;
import gambit.core.testkit.RawSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.Test;

/**
 * Sends any bytes after a WebSocket handshake through the channels of the port, and compares the
 * answers with {@link FrameRules}. The first byte says whether compression is offered (odd), and
 * how the bytes are split (below 2: not at all).
 */
class FramesFuzzTest {
  private static final String UPGRADE_WITH_COMPRESSION =
      RawSocket.UPGRADE.replace(
          "Connection:", "Sec-WebSocket-Extensions: permessage-deflate\r\nConnection:");

  @FuzzTest(maxDuration = "", maxExecutions = 10_000_000)
  void framesAreAnsweredAsTheRulesSayHoweverTheyAreSplit(byte[] input) {
    if (input.length == 0) {
      return;
    }
    boolean compress = input[0] % 2 != 0;
    List<String> expected = FrameRules.answers(input, 1, compress, EmbeddedClient.MESSAGE);
    String last = expected.isEmpty() ? "" : expected.get(expected.size() - 1);
    boolean goodbye = last.startsWith(FrameRules.GOODBYE);
    try (EmbeddedClient client = upgraded(compress)) {
      if (input[0] > 1) {
        client.send(input, 1, new Random(input[0]));
      } else {
        client.send(input, 1, input.length - 1);
      }
      List<String> answers = answers(client, goodbye);
      if (compress && last.equals(FrameRules.GOODBYE + 1009)) { // and perhaps malformed later on
        answers.replaceAll(it -> it.equals(FrameRules.GOODBYE + 1007) ? last : it);
      }
      assertThat(answers).isEqualTo(expected);
      assertThat(client.isOver()).isEqualTo(goodbye || last.startsWith("close"));
    }
  }

  private static EmbeddedClient upgraded(boolean compress) {
    EmbeddedClient client = new EmbeddedClient();
    byte[] request =
        (compress ? UPGRADE_WITH_COMPRESSION : RawSocket.UPGRADE)
            .getBytes(StandardCharsets.ISO_8859_1);
    client.send(request, 0, request.length);
    return client;
  }

  /** The frames after the answer to the handshake, in the notation of {@link FrameRules}. */
  private static List<String> answers(EmbeddedClient client, boolean goodbye) {
    String received = new String(client.received(), StandardCharsets.ISO_8859_1);
    assertThat(received).startsWith("HTTP/1.1 101 ");
    ByteBuffer in = ByteBuffer.wrap(client.received()).position(received.indexOf("\r\n\r\n") + 4);
    List<String> answers = new ArrayList<>();
    while (in.hasRemaining()) {
      int first = in.get() & 0xff;
      int length = in.get(); // negative when masked, which a server's frames must not be
      byte[] payload = new byte[length == 126 ? in.getShort() & 0xffff : length];
      in.get(payload);
      answers.add(
          switch (first) {
            case 0x81 -> said("text", payload);
            case 0x82 -> said("binary", payload);
            case 0xc1 -> said("text", inflated(payload));
            case 0xc2 -> said("binary", inflated(payload));
            case 0x8a -> said("pong", payload);
            case 0x88 ->
                goodbye
                    ? FrameRules.GOODBYE + (ByteBuffer.wrap(payload).getShort() & 0xffff)
                    : said("close", payload);
            default -> throw new AssertionError("a frame that begins with " + first);
          });
    }
    return answers;
  }

  private static String said(String what, byte[] payload) {
    return what + " " + HexFormat.of().formatHex(payload);
  }

  private static byte[] inflated(byte[] payload) {
    try {
      return FrameRules.inflate(payload, EmbeddedClient.MESSAGE);
    } catch (DataFormatException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void mutatedFramesAreAnsweredAsTheRulesSay() {
    MutatedInputs.feed(getClass(), 2_000, this::framesAreAnsweredAsTheRulesSayHoweverTheyAreSplit);
  }
}
