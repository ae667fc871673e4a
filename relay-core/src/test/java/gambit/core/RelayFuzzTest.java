package gambit.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.BugDetectors;
import com.code_intelligence.jazzer.junit.FuzzTest;
import gambit.core.testkit.Client;
import gambit.core.testkit.Complaints;
import gambit.core.testkit.Mutants;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.RawSocket.Received;
import gambit.core.testkit.StrictJson;
import gambit.core.testkit.TestRelay;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Any bytes on a WebSocket of a whole relay, beside another client. */
class RelayFuzzTest {
  private static final int PING = 0x89;
  private static final int OTHERS_TURN = 16;

  private final Complaints complaints = Complaints.ofAll();
  private final TestRelay relay = new TestRelay();
  private final Client other;
  private int inputs;

  RelayFuzzTest() {
    BugDetectors.allowNetworkConnections((host, port) -> host.equals("127.0.0.1"));
    other = relay.connect();
    other.challenge();
  }

  @AfterEach
  void end() {
    other.close();
    relay.close();
    complaints.close();
  }

  @FuzzTest(maxDuration = "", maxExecutions = 1_000_000)
  void whateverAClientSendsItIsAnsweredOrToldGoodbyeAndOthersAreServed(byte[] input) {
    try (RawSocket client = RawSocket.upgraded(relay.uri())) {
      client.write(input);
      client.frame(PING, new byte[0]);
      client.endOutput();
      readToTheEnd(client);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    complaints.areNone();
    if (inputs++ % OTHERS_TURN == 0) {
      other.send("[\"REQ\",\"still here\",{\"limit\":1}]").until("EOSE");
    }
  }

  private static void readToTheEnd(RawSocket client) throws IOException {
    Optional<Received> next = read(client);
    while (next.isPresent()) {
      Received frame = next.get();
      next = read(client);
      switch (frame.opcode()) {
        case 1 ->
            assertThat(StrictJson.read(frame.text(), 9).orElseThrow()).isInstanceOf(List.class);
        case 8 -> {
          assertThat(frame.payload().length).isNotEqualTo(1);
          assertThat(next).as("behind a goodbye").isEmpty();
        }
        default -> assertThat(frame.opcode()).isEqualTo(10);
      }
    }
  }

  private static Optional<Received> read(RawSocket client) throws IOException {
    try {
      return Optional.of(client.read());
    } catch (EOFException e) {
      return Optional.empty();
    }
  }

  @Test
  void soAreMutants() {
    Mutants.feed(
        getClass(), 300, this::whateverAClientSendsItIsAnsweredOrToldGoodbyeAndOthersAreServed);
  }
}
