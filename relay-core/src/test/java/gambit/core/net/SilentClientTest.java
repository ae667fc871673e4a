package gambit.core.net;

import static gambit.core.testkit.RawSocket.FINAL;
import static gambit.core.testkit.RawSocket.PONG;
import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.testkit.RawSocket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Silent clients by seconds that the test counts. */
class SilentClientTest {
  private static final int LIMIT = LimitValues.DEFAULT.get(Limit.SILENT_SECONDS);
  private static final int BYTES_OF_PING = 2;

  private final EmbeddedClient client = new EmbeddedClient();
  private final int bytesOfAnswer;

  SilentClientTest() {
    send(RawSocket.UPGRADE.getBytes(StandardCharsets.US_ASCII));
    bytesOfAnswer = client.received().length;
  }

  @AfterEach
  void end() {
    client.close();
  }

  @Test
  void silentClientIsPingedAfterTheTimeAndDisconnectedAfterTheSameTime() {
    client.beSilent(LIMIT);
    assertThat(pings()).isZero();
    client.beSilent(1);
    assertThat(pings()).isEqualTo(1);
    client.beSilent(LIMIT - 1);
    assertThat(client.isOver()).isFalse();
    client.beSilent(1);
    assertThat(client.isOver()).isTrue();
    assertThat(pings()).isEqualTo(1);
  }

  @Test
  void clientThatIsHeardIsNotPingedUntilItIsSilentForTheWholeTime() {
    client.beSilent(LIMIT - 1);
    pong();
    client.beSilent(LIMIT);
    assertThat(pings()).isZero();
    client.beSilent(1);
    assertThat(pings()).isEqualTo(1);
  }

  @Test
  void clientThatAnswersIsPingedAgain() {
    for (int pings = 1; pings <= 3; pings++) {
      client.beSilent(LIMIT + 1);
      assertThat(pings()).isEqualTo(pings);
      client.beSilent(LIMIT - 1);
      pong();
    }
    assertThat(client.isOver()).isFalse();
  }

  private void pong() {
    send(RawSocket.maskedFrame(FINAL | PONG, new byte[0]));
  }

  private void send(byte[] bytes) {
    client.send(bytes, 0, bytes.length);
  }

  private int pings() {
    return (client.received().length - bytesOfAnswer) / BYTES_OF_PING;
  }
}
