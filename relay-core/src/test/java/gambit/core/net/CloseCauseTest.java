package gambit.core.net;

import static gambit.core.testkit.RawSocket.BINARY;
import static gambit.core.testkit.RawSocket.CLOSE;
import static gambit.core.testkit.RawSocket.FINAL;
import static gambit.core.testkit.RawSocket.PING;
import static gambit.core.testkit.RawSocket.TEXT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.limit.MemoryBound;
import gambit.core.net.ServerMetrics.CloseCause;
import gambit.core.session.Conversation;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestMetrics;
import gambit.core.wire.RelayMessage;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each WebSocket that ends is counted once, by why it ended. */
class CloseCauseTest {
  private final TestMetrics metrics = new TestMetrics();
  private final List<Throwable> deaths = Collections.synchronizedList(new ArrayList<>());
  private final RelayServer server = listen(60);
  private int connected;

  /** Little may wait for a client, and one that is silent for so long is asked. */
  private RelayServer listen(int silentSeconds) throws IOException {
    LimitValues limits =
        TestLimits.builder()
            .set(Limit.OUTBOX_BYTES, 64_000)
            .set(Limit.ALL_OUTBOX_BYTES, 1 << 20)
            .set(Limit.SILENT_SECONDS, silentSeconds)
            .build();
    return Endpoints.listen(
        Endpoints.of(
            (channel, reading, client, outbox) -> new Obedient(outbox),
            limits,
            new MemoryBound(1 << 20),
            metrics,
            deaths::add));
  }

  CloseCauseTest() throws IOException {}

  @AfterEach
  void end() {
    server.close();
    assertThat(deaths).isEmpty();
  }

  /** Ends on request. */
  private record Obedient(WebSocketOutbox outbox) implements Conversation {
    @Override
    public void begin() {}

    @Override
    public boolean text(byte[] buffer, int length, Instant arrivedAt) {
      switch (new String(buffer, 0, length, StandardCharsets.UTF_8)) {
        case "no text" -> {
          return false;
        }
        case "flood" -> {
          while (outbox.isOpen()) {
            outbox.send(new RelayMessage.Notice("x".repeat(1000)).frame());
          }
        }
        case "crowd" -> outbox.disconnect();
        case "memory" -> throw new OutOfMemoryError("no direct buffer memory, say");
        default -> throw new IllegalStateException("a bug on purpose");
      }
      return true;
    }

    @Override
    public void end() {}
  }

  @Test
  void everyReasonIsCountedOnce() throws IOException {
    Map<CloseCause, Integer> expected = new EnumMap<>(CloseCause.class);
    for (int times = 1; times <= 2; times++) {
      send(FINAL | CLOSE, "", 1000);
      vanish();
      send(FINAL | BINARY, "x", 1003);
      send(FINAL | 0xb, "", 1002);
      send(FINAL | TEXT, "no text", 1007);
      send(FINAL | TEXT, "x".repeat(128 * 1024 + 1), 1009);
      send(FINAL | TEXT, "flood", -1);
      send(FINAL | TEXT, "crowd", -1);
      send(FINAL | TEXT, "memory", -1);
      send(FINAL | TEXT, "bug", -1);
      beSilent();
      beBlocked();
      for (CloseCause why : CloseCause.values()) {
        expected.put(why, why == CloseCause.SHUTDOWN ? 0 : times);
      }
      await().until(() -> counted().equals(expected));
    }
    try (RawSocket last = connect()) {
      server.close();
      assertThat(last.readCloseAndEnd()).isEqualTo(1001);
    }
    expected.put(CloseCause.SHUTDOWN, 1);
    assertThat(counted()).isEqualTo(expected);
    assertThat(metrics.read("connections_opened")).isEqualTo(connected);
    assertThat(counted().values().stream().mapToInt(it -> it).sum()).isEqualTo(connected);
  }

  private Map<CloseCause, Integer> counted() {
    Map<CloseCause, Integer> counted = new EnumMap<>(CloseCause.class);
    for (CloseCause why : CloseCause.values()) {
      counted.put(why, (int) metrics.read("connections_closed{reason=" + why.label() + "}"));
    }
    return counted;
  }

  /** Ends a connection by something that it sends, with a code or (-1) without a word. */
  private void send(int first, String text, int code) throws IOException {
    try (RawSocket raw = connect()) {
      byte[] payload = text.getBytes(StandardCharsets.UTF_8);
      raw.sendFrame(first, code == 1000 ? new byte[] {0x03, (byte) 0xe8} : payload);
      if (code > 0) {
        assertThat(raw.readCloseAndEnd()).isEqualTo(code);
      } else {
        assertThat(raw.isAtEnd()).isTrue();
      }
    }
  }

  private void vanish() throws IOException {
    connect().close();
  }

  private void beSilent() throws IOException {
    try (RelayServer impatient = listen(1);
        RawSocket raw = connect(impatient)) {
      assertThat(raw.read().opcode()).isEqualTo(PING);
      assertThat(raw.isAtEnd()).isTrue();
    }
  }

  private void beBlocked() throws IOException {
    try (RawSocket raw = connect()) {
      server.disconnect(address -> true);
      assertThat(raw.readCloseAndEnd()).isEqualTo(1008);
    }
  }

  private RawSocket connect() throws IOException {
    return connect(server);
  }

  private RawSocket connect(RelayServer to) throws IOException {
    connected++;
    RawSocket raw = new RawSocket(URI.create("ws://127.0.0.1:" + to.address().getPort()));
    raw.write(RawSocket.UPGRADE);
    assertThat(raw.readHead()).startsWith("HTTP/1.1 101 ");
    return raw;
  }
}
