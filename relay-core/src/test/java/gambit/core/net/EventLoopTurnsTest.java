package gambit.core.net;

import static gambit.core.testkit.RawSocket.CLOSE;
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
import gambit.core.session.Connection;
import gambit.core.session.Conversation;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestMetrics;
import gambit.core.testkit.TestTime;
import io.netty.channel.EventLoop;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Small input can cause much work; other connections of the event loop get a turn in between. */
class EventLoopTurnsTest {
  private static final String WAIT = "wait";
  private static final String BUSY = "busy";
  private static final int BOMB = 128 * 1024;
  private static final int BOMBS = 40;

  private final CountDownLatch waiting = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final List<String> heard = Collections.synchronizedList(new ArrayList<>());
  private final List<EventLoop> loops = Collections.synchronizedList(new ArrayList<>());
  private final List<Throwable> deaths = Collections.synchronizedList(new ArrayList<>());
  private final TestTime time = new TestTime();
  private final Map<String, Instant> arrivals = new ConcurrentHashMap<>();
  private final MemoryBound unfinished = new MemoryBound(1 << 20);
  private final AtomicLong mostHeld = new AtomicLong();
  private RelayServer server;
  private volatile Runnable resume = () -> {};
  private int connected;

  @BeforeEach
  void listen() throws IOException {
    server =
        Endpoints.listen(
            transport(
                Endpoints.of(
                    (channel, reading, client, outbox) -> {
                      loops.add(channel.eventLoop());
                      return new Listening(reading);
                    },
                    LimitValues.DEFAULT,
                    unfinished,
                    new TestMetrics(),
                    time,
                    deaths::add)));
  }

  /** The endpoint with the transport of this test. */
  Endpoint transport(Endpoint plain) {
    return plain;
  }

  /** A connection with the transport of this test. */
  RawSocket open(int port) throws IOException {
    return new RawSocket(URI.create("ws://127.0.0.1:" + port));
  }

  @AfterEach
  void end() {
    goOn.countDown();
    server.close();
    assertThat(deaths).isEmpty();
  }

  /** Remembers how messages begin; holds up its event loop, or is not read, when it is told to. */
  private final class Listening implements Conversation {
    private final Connection.ReadControl reading;

    Listening(Connection.ReadControl reading) {
      this.reading = reading;
    }

    @Override
    public void begin() {}

    @Override
    public boolean text(byte[] buffer, int length, Instant arrivedAt) {
      String begin = new String(buffer, 0, 4, StandardCharsets.US_ASCII);
      arrivals.put(begin, arrivedAt);
      heard.add(begin);
      time.advance(Duration.ofSeconds(1)); // so long it takes
      mostHeld.accumulateAndGet(unfinished.used(), Math::max);
      if (begin.equals(BUSY)) {
        reading.pause();
        resume = () -> loops.get(0).execute(reading::resume);
      }
      if (begin.equals(WAIT)) {
        waiting.countDown();
        try {
          goOn.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      return true;
    }

    @Override
    public boolean binary(byte[] buffer, int length) {
      return true;
    }

    @Override
    public void end() {}
  }

  @Test
  void otherConnectionIsServedBetweenEarlierCompressionBombs() throws Exception {
    try (RawSocket bomber = connect();
        RawSocket neighbour = connectBesideFirst()) {
      ByteArrayOutputStream packet = new ByteArrayOutputStream();
      packet.writeBytes(message(WAIT));
      for (int i = 0; i < BOMBS; i++) {
        packet.writeBytes(bomb(name(i)));
      }
      packet.writeBytes(RawSocket.maskedFrame(FINAL | CLOSE, new byte[] {0x0f, (byte) 0xa0}));
      assertThat(packet.size()).isLessThan(16 * 1024);
      bomber.write(packet.toByteArray());
      waiting.await();
      neighbour.write(message("near"));
      goOn.countDown();
      assertThat(bomber.readCloseAndEnd()).as("behind all of them").isEqualTo(4000);
    }
    await().until(() -> heard.contains("near"));
    assertThat(heard.indexOf("near")).isLessThan(10);
    heard.remove("near");
    heard.remove(WAIT);
    assertThat(heard)
        .isEqualTo(IntStream.range(0, BOMBS).mapToObj(EventLoopTurnsTest::name).toList());
  }

  @Test
  void messagesArrivingDuringOtherTurnsAreHandledInOrder() throws Exception {
    int all = 50 * BOMBS;
    try (RawSocket bomber = connect()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      for (int i = 0; i < all; i++) {
        bytes.writeBytes(i % 3 == 0 ? message(name(i)) : bomb(name(i)));
      }
      assertThat(bytes.size()).isGreaterThan(200_000);
      bomber.write(bytes.toByteArray());
      await().until(() -> heard.size() == all);
    }
    assertThat(mostHeld).as("of what has come").hasValueLessThan(40_000);
    assertThat(heard)
        .isEqualTo(IntStream.range(0, all).mapToObj(EventLoopTurnsTest::name).toList());
  }

  @Test
  void pausedConnectionStaysPausedAfterTheTurnOfOthers() throws Exception {
    try (RawSocket bomber = connect();
        RawSocket neighbour = connectBesideFirst()) {
      ByteArrayOutputStream packet = new ByteArrayOutputStream();
      packet.writeBytes(message(BUSY));
      for (int i = 0; i < 5; i++) {
        packet.writeBytes(bomb(name(i)));
      }
      bomber.write(packet.toByteArray());
      await().until(() -> heard.contains(name(4)));
      bomber.write(message("late"));
      neighbour.write(message("near"));
      await().until(() -> heard.contains("near"));
      assertThat(heard).doesNotContain("late");
      resume.run();
      await().until(() -> heard.contains("late"));
    }
  }

  @Test
  void messagesReadTogetherHaveOneArrivalTimeHoweverLongTheyWait() throws Exception {
    Instant start = time.instant();
    try (RawSocket bomber = connect();
        RawSocket neighbour = connectBesideFirst()) {
      bomber.write(message(WAIT));
      waiting.await();
      ByteArrayOutputStream packet = new ByteArrayOutputStream();
      for (int i = 0; i < 10; i++) {
        packet.writeBytes(i % 2 == 0 ? message(name(i)) : bomb(name(i)));
      }
      assertThat(packet.size()).as("that is read at once").isLessThan(4 * 1024);
      bomber.write(packet.toByteArray());
      goOn.countDown();
      await().until(() -> heard.contains(name(9)));
      neighbour.write(message("near"));
      await().until(() -> heard.contains("near"));
    }
    assertThat(arrivals.remove(WAIT)).isEqualTo(start);
    assertThat(arrivals.remove("near")).isEqualTo(start.plusSeconds(11));
    assertThat(arrivals.values()).hasSize(10).containsOnly(start.plusSeconds(1));
  }

  @Test
  void fenceWaitsForMessagesDeferredToLaterTurns() throws Exception {
    List<String> heardBefore = new CopyOnWriteArrayList<>();
    CountDownLatch passed = new CountDownLatch(1);
    try (RawSocket bomber = connect()) {
      ByteArrayOutputStream packet = new ByteArrayOutputStream();
      packet.writeBytes(message(WAIT));
      for (int i = 0; i < 10; i++) {
        packet.writeBytes(bomb(name(i)));
      }
      assertThat(packet.size()).as("that is read at once").isLessThan(4 * 1024);
      bomber.write(packet.toByteArray());
      waiting.await();
      server.afterArrivals(
          () -> {
            heardBefore.addAll(heard);
            passed.countDown();
          });
      goOn.countDown();
      assertThat(passed.await(2, TimeUnit.MINUTES)).isTrue();
    }
    assertThat(heardBefore).hasSize(11).endsWith(name(9));
  }

  @Test
  void fenceWaitsNeitherForLaterMessagesNorForClosedConnections() throws Exception {
    CountDownLatch passed = new CountDownLatch(1);
    try (RawSocket bomber = connect()) {
      ByteArrayOutputStream packet = new ByteArrayOutputStream();
      packet.writeBytes(message(WAIT));
      for (int i = 0; i < 3; i++) {
        packet.writeBytes(bomb(name(i)));
      }
      packet.writeBytes(RawSocket.maskedFrame(FINAL | 0xf, new byte[0])); // the last of this one
      bomber.write(packet.toByteArray());
      waiting.await();
      server.afterArrivals(passed::countDown);
      goOn.countDown();
      assertThat(passed.await(2, TimeUnit.MINUTES)).isTrue();
      assertThat(bomber.readCloseAndEnd()).isEqualTo(1002);
    }
    CountDownLatch idle = new CountDownLatch(1);
    server.afterArrivals(idle::countDown);
    assertThat(idle.await(2, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void fragmentedMessageArrivesWithItsLastFragment() throws Exception {
    Instant start = time.instant();
    try (RawSocket raw = connect()) {
      raw.sendFrame(TEXT, new byte[] {'i', 'n'});
      raw.sendFrame(FINAL | PING, new byte[0]);
      assertThat(raw.read().opcode()).isEqualTo(PONG);
      time.advance(Duration.ofMinutes(1));
      raw.sendFrame(FINAL | CONTINUATION, new byte[] {'t', 'o'});
      await().until(() -> heard.contains("into"));
    }
    assertThat(arrivals.get("into")).isEqualTo(start.plusSeconds(60));
  }

  @Test
  void protocolErrorIsAnsweredAfterTheMessagesBeforeIt() throws Exception {
    try (RawSocket bomber = connect()) {
      ByteArrayOutputStream packet = new ByteArrayOutputStream();
      for (int i = 0; i < BOMBS; i++) {
        packet.writeBytes(bomb(name(i)));
      }
      packet.writeBytes(RawSocket.maskedFrame(FINAL | 0xf, new byte[0]));
      bomber.write(packet.toByteArray());
      assertThat(bomber.readCloseAndEnd()).isEqualTo(1002);
      assertThat(heard).hasSize(BOMBS);
    }
  }

  private RawSocket connectBesideFirst() throws IOException {
    RawSocket next = connect();
    while (loops.get(loops.size() - 1) != loops.get(0)) {
      next.close();
      next = connect();
    }
    return next;
  }

  private RawSocket connect() throws IOException {
    RawSocket raw = open(server.address().getPort());
    raw.write(RawSocket.upgradeWith("Sec-WebSocket-Extensions: permessage-deflate"));
    assertThat(raw.readHead()).startsWith("HTTP/1.1 101 ");
    int all = ++connected;
    await().until(() -> loops.size() == all);
    return raw;
  }

  private static String name(int number) {
    return String.format("%04d", number);
  }

  private static byte[] message(String text) {
    return RawSocket.maskedFrame(FINAL | TEXT, text.getBytes(StandardCharsets.US_ASCII));
  }

  /** The longest message, in some 150 bytes. */
  private static byte[] bomb(String begin) {
    Deflater deflater = new Deflater(9, true);
    deflater.setInput((begin + " ".repeat(BOMB - begin.length())).getBytes(StandardCharsets.UTF_8));
    byte[] out = new byte[1024];
    int length = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
    deflater.end();
    return RawSocket.maskedFrame(FINAL | RSV1 | TEXT, Arrays.copyOf(out, length - 4));
  }
}
