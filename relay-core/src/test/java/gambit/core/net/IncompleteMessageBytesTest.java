package gambit.core.net;

import static gambit.core.testkit.RawSocket.BINARY;
import static gambit.core.testkit.RawSocket.CONTINUATION;
import static gambit.core.testkit.RawSocket.FINAL;
import static gambit.core.testkit.RawSocket.PING;
import static gambit.core.testkit.RawSocket.PONG;
import static gambit.core.testkit.RawSocket.RSV1;
import static gambit.core.testkit.RawSocket.TEXT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.limit.LimitValues;
import gambit.core.limit.MemoryBound;
import gambit.core.session.Conversation;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestMetrics;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What clients have sent of messages that are not whole is bounded for all of them together. */
class IncompleteMessageBytesTest {
  private final TestMetrics metrics = new TestMetrics();
  private final MemoryBound unfinished = new MemoryBound(100_000);
  private final List<Throwable> deaths = Collections.synchronizedList(new ArrayList<>());
  private final RelayServer server;

  IncompleteMessageBytesTest() throws IOException {
    server =
        Endpoints.listen(
            Endpoints.of(
                (channel, reading, client, outbox) -> new Deaf(),
                LimitValues.DEFAULT,
                unfinished,
                metrics,
                deaths::add));
  }

  /** Ignores all input. */
  private record Deaf() implements Conversation {
    @Override
    public void begin() {}

    @Override
    public boolean text(byte[] buffer, int length, Instant arrivedAt) {
      return true;
    }

    @Override
    public boolean binary(byte[] buffer, int length) {
      return true;
    }

    @Override
    public void end() {}
  }

  @AfterEach
  void end() {
    server.close();
    assertThat(deaths).isEmpty();
  }

  @Test
  void clientWithTheMostIncompleteBytesIsClosedWith1013AndOthersContinue() throws IOException {
    byte[] frame = RawSocket.maskedFrame(FINAL | BINARY, new byte[120_000]);
    try (RawSocket small = connect();
        RawSocket large = connect();
        RawSocket last = connect()) {
      small.sendFrame(TEXT, new byte[20_000]);
      large.write(Arrays.copyOf(frame, 60_000));
      await().until(() -> unfinished.used() > 79_900);
      last.sendFrame(RSV1 | TEXT, new byte[40_000]);
      assertThat(large.readCloseAndEnd()).isEqualTo(1013);
      await().until(() -> unfinished.used() == 60_000);
      small.sendFrame(CONTINUATION, new byte[10_000]);
      await().until(() -> unfinished.used() == 70_000);
      small.sendFrame(FINAL | CONTINUATION, new byte[0]);
      small.sendFrame(FINAL | PING, new byte[0]);
      assertThat(small.read().opcode()).isEqualTo(PONG);
      await().until(() -> unfinished.used() == 40_000);
    }
    await().until(() -> unfinished.used() == 0);
    await().until(() -> metrics.read("connections_closed{reason=vanished}") == 2);
    await().until(() -> metrics.read("connections_closed{reason=crowded}") == 1);
  }

  private RawSocket connect() throws IOException {
    RawSocket raw = new RawSocket(URI.create("ws://127.0.0.1:" + server.address().getPort()));
    raw.write(RawSocket.upgradeWith("Sec-WebSocket-Extensions: permessage-deflate"));
    assertThat(raw.readHead()).startsWith("HTTP/1.1 101 ");
    return raw;
  }
}
