package gambit.core.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.BugDetectors;
import com.code_intelligence.jazzer.junit.FuzzTest;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.net.FrameRules;
import gambit.core.testkit.MutatedInputs;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.RawSocket.ReceivedFrame;
import gambit.core.testkit.StrictJson;
import gambit.core.testkit.TestRelay;
import gambit.core.testkit.UnexpectedLogEvents;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Sends any bytes over a WebSocket to a whole relay, beside another client, and compares the end of
 * the connection with {@link FrameRules}.
 */
class RelayFuzzTest {
  private static final byte[] PING = {(byte) 0x89, (byte) 0x80, 1, 2, 3, 4};
  private static final int OTHERS_TURN = 16;

  private final UnexpectedLogEvents complaints = UnexpectedLogEvents.ofAll();
  private final TestRelay relay = new TestRelay();
  private final RawSocket other;
  private int inputs;

  RelayFuzzTest() throws IOException {
    other = RawSocket.upgraded(relay.uri());
  }

  @AfterEach
  void end() throws IOException {
    other.close();
    relay.close();
    complaints.close();
  }

  @FuzzTest(maxDuration = "", maxExecutions = 1_000_000)
  void anyBytesAreAnsweredOrClosedAndOtherClientsAreServed(byte[] input) {
    BugDetectors.allowNetworkConnections(); // Jazzer reports them as attacks otherwise
    assertAnsweredOrClosedAndOtherClientServed(input);
  }

  private void assertAnsweredOrClosedAndOtherClientServed(byte[] input) {
    byte[] sent = Arrays.copyOf(input, input.length + PING.length);
    System.arraycopy(PING, 0, sent, input.length, PING.length);
    List<String> expected = expected(sent);
    boolean bothSaidGoodbye = expected.contains("close");
    try (RawSocket client = RawSocket.upgraded(relay.uri())) {
      client.write(sent);
      client.endOutput();
      assertThat(answers(client, bothSaidGoodbye)).isEqualTo(expected);
      if (inputs++ % OTHERS_TURN == 0) {
        other.sendText("[\"COUNT\",\"still here\",{}]");
        assertThat(other.read().text()).startsWith("[\"COUNT\",\"still here\",");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    complaints.requireNone();
  }

  /**
   * Pongs and the close frame; answers to texts may arrive at any time, and a binary message ends
   * the connection.
   */
  private static List<String> expected(byte[] sent) {
    List<String> expected = new ArrayList<>();
    for (String answer :
        FrameRules.answers(sent, 0, false, LimitValues.DEFAULT.get(Limit.MESSAGE_BYTES))) {
      if (answer.startsWith("binary")) {
        expected.add(FrameRules.GOODBYE + 1003);
        return expected;
      } else if (answer.startsWith("close")) {
        expected.add("close");
      } else if (!answer.startsWith("text")) {
        expected.add(answer);
      }
    }
    return expected;
  }

  /** All received frames except texts, which must be JSON. */
  private static List<String> answers(RawSocket client, boolean bothSaidGoodbye)
      throws IOException {
    List<String> answers = new ArrayList<>();
    try {
      while (true) {
        ReceivedFrame frame = client.read();
        switch (frame.opcode()) {
          case 1 ->
              assertThat(StrictJson.read(frame.text(), 9).orElseThrow()).isInstanceOf(List.class);
          case 8 -> answers.add(bothSaidGoodbye ? "close" : FrameRules.GOODBYE + frame.closeCode());
          case 10 -> answers.add("pong " + HexFormat.of().formatHex(frame.payload()));
          default -> throw new AssertionError("opcode " + frame.opcode());
        }
      }
    } catch (EOFException e) {
      return answers;
    } catch (SocketException e) {
      if (!bothSaidGoodbye) { // otherwise nothing after it is read
        throw e;
      }
      return answers;
    }
  }

  @Test
  void mutatedInputsAreAnsweredOrClosedAndOtherClientsAreServed() {
    MutatedInputs.feed(getClass(), 100, this::assertAnsweredOrClosedAndOtherClientServed);
  }
}
