package gambit.core.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.crypto.Signer;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.limit.MemoryBound;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import gambit.core.testkit.TestTime;
import gambit.core.testkit.UnsignedEvents;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A client that does not read costs a bounded number of bytes and does not affect others. */
class SlowReaderTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final String NOTE = "x".repeat(30_000);
  private static final int OUTBOX = 1 << 20;
  private static final LimitValues LIMITS =
      TestLimits.builder()
          .set(Limit.EVENTS_UNDER_WAY, 64)
          .set(Limit.OUTBOX_BYTES, OUTBOX)
          .set(Limit.ALL_OUTBOX_BYTES, 8L * OUTBOX)
          .build();

  @Test
  void unreadLiveEventsDisconnectTheirClientOnly() throws IOException {
    try (TestRelay relay = new TestRelay(LIMITS, new MemoryEventStore(1L << 30));
        Client writer = relay.connect();
        Client reader = relay.connect();
        RawSocket sleeper = RawSocket.withSmallReceiveBuffer(relay.uri())) {
      sleeper.sendText("[\"REQ\",\"all\",{\"limit\":0}]");
      await().until(() -> relay.metrics().read("subscriptions") == 1);
      reader.send("[\"REQ\",\"all\",{\"limit\":0}]");
      reader.next();
      int sent = 0;
      while (relay.metrics().read("connections") == 3 && sent < 2000) {
        writer.publish(ALICE, relay.now(), 1, NOTE + sent++);
        assertThat(writer.next()).endsWith(",true,\"\"]");
        assertThat(reader.next()).startsWith("[\"EVENT\",\"all\"");
        assertThat(relay.metrics().read("outbox_bytes")).isLessThanOrEqualTo(2L * OUTBOX);
      }
      await().until(() -> relay.metrics().read("connections") == 2);
      await().until(() -> relay.metrics().read("outbox_bytes") == 0);
      await().until(() -> relay.metrics().read("subscriptions") == 1);
    }
  }

  private static EventStore storeOf(int notes) {
    EventStore store = new MemoryEventStore(1L << 30);
    long now = TestTime.START.getEpochSecond();
    UnsignedEvents.store(
        store, notes, i -> UnsignedEvents.event(ALICE.pubkey(), now - i, 1, Tags.NONE, NOTE + i));
    return store;
  }

  @Test
  void storedPagesWaitForASlowReaderAndArriveCompletely() throws IOException {
    int notes = 400; // twelve megabytes: the outbox holds one, the socket four
    try (TestRelay relay = new TestRelay(LIMITS, storeOf(notes));
        Client writer = relay.connect()) {
      try (RawSocket sleeper = RawSocket.withSmallReceiveBuffer(relay.uri())) {
        sleeper.sendText("[\"REQ\",\"all\",{\"limit\":" + notes + "}]");
        for (int i = 0; i < 50; i++) {
          writer.send("[\"REQ\",\"one\",{\"limit\":1}]");
          assertThat(writer.until("EOSE")).hasSize(2);
          assertThat(relay.metrics().read("outbox_bytes")).isLessThanOrEqualTo(OUTBOX / 2);
        }
        assertThat(relay.metrics().read("connections")).isEqualTo(2);
        assertThat(readUntil(sleeper, "[\"EOSE\",\"all\"]"))
            .isGreaterThan((long) notes * NOTE.length());
      }
    }
  }

  @Test
  void heldLiveEventsDoNotDelayStoredOnes() throws IOException {
    try (TestRelay relay = new TestRelay(LIMITS, storeOf(300));
        Client writer = relay.connect()) {
      try (RawSocket sleeper = RawSocket.withSmallReceiveBuffer(relay.uri())) {
        sleeper.sendText("[\"REQ\",\"all\",{\"limit\":300}]");
        await().until(() -> relay.metrics().read("subscriptions") == 1);
        for (int i = 0; i < 10; i++) {
          writer.publish(ALICE, relay.now(), 20_001, NOTE + i);
          assertThat(writer.next()).endsWith(",true,\"\"]");
        }
        assertThat(readUntil(sleeper, "[\"EOSE\",\"all\"]")).isGreaterThan(300L * NOTE.length());
      }
    }
  }

  @Test
  void disconnectedClientThatDoesNotReadIsRemovedSoon() throws IOException {
    try (TestRelay relay = new TestRelay(LIMITS, storeOf(300));
        RawSocket sleeper = RawSocket.withSmallReceiveBuffer(relay.uri())) {
      sleeper.sendText("[\"REQ\",\"all\",{\"limit\":300}]");
      sleeper.sendFrame(0x82, new byte[0]); // binary
      await().until(() -> relay.metrics().read("connections") == 0);
      await().until(() -> relay.metrics().read("subscriptions") == 0);
    }
  }

  @Test
  void pongsAndCloseFramesAreSentBetweenFramesEvenAfterAPartialWrite() throws IOException {
    try (TestRelay relay = new TestRelay(LIMITS, new MemoryEventStore(1L << 30));
        Client writer = relay.connect();
        RawSocket sleeper = RawSocket.withSmallReceiveBuffer(relay.uri())) {
      for (int i = 0; i < 8; i++) {
        writer.publish(ALICE, relay.now() - i, 1, NOTE + NOTE + NOTE + NOTE);
        assertThat(writer.next()).endsWith(",true,\"\"]");
      }
      sleeper.sendText("[\"REQ\",\"all\",{}]");
      RawSocket.ReceivedFrame frame = sleeper.read(); // later frames fill the socket's buffers
      await().until(() -> relay.metrics().read("outbox_bytes") > 0);
      sleeper.sendFrame(RawSocket.FINAL | RawSocket.PING, new byte[] {1, 2, 3});
      sleeper.sendText("[\"REQ\",\"later\",{\"limit\":0}]");
      await().until(() -> relay.metrics().read("subscriptions") == 2);
      int events = 0;
      for (; frame.opcode() == RawSocket.TEXT; frame = sleeper.read()) {
        assertThat(frame.text()).startsWith("[\"EVENT\",\"all\"").endsWith("\"}]");
        events++;
      }
      assertThat(frame.opcode()).isEqualTo(RawSocket.PONG);
      assertThat(frame.payload()).containsExactly(1, 2, 3);
      assertThat(events).isBetween(1, 7);
      sleeper.sendFrame(0x82, new byte[0]); // binary
      assertThat(sleeper.awaitClose()).isEqualTo(1003);
    }
  }

  @Test
  void sharedBoundDisconnectsTheClientWithTheMostQueuedBytes() {
    MemoryBound outboxes = new MemoryBound(100);
    FakeHolder small = new FakeHolder(20);
    FakeHolder large = new FakeHolder(70);
    outboxes.add(small);
    outboxes.add(large);
    outboxes.reserve(90);
    assertThat(large.isOpen()).isTrue();
    outboxes.reserve(20);
    assertThat(large.isOpen()).isFalse();
    outboxes.reserve(20);
    assertThat(small.isOpen()).as("while the first one's bytes are on their way back").isTrue();
    large.waiting = 0;
    outboxes.remove(large);
    outboxes.reserve(20);
    assertThat(small.isOpen()).isFalse();
  }

  @Test
  void clientThatReadsIsNotDisconnectedForOneThatDoesNot() {
    MemoryBound outboxes = new MemoryBound(100);
    FakeHolder reading = new FakeHolder(60);
    FakeHolder sleeping = new FakeHolder(50);
    sleeping.waited = 1000;
    outboxes.add(reading);
    outboxes.add(sleeping);
    outboxes.reserve(110);
    assertThat(reading.isOpen()).isTrue();
    assertThat(sleeping.isOpen()).isFalse();
  }

  @Test
  void addressWhoseManyClientsDoNotReadLosesThemBeforeAnotherAddressLosesOne() {
    MemoryBound outboxes = new MemoryBound(1_000);
    FakeHolder modest = new FakeHolder(50);
    modest.waited = 100;
    outboxes.add(modest);
    outboxes.reserve(50);
    List<FakeHolder> greedy = new ArrayList<>();
    for (int i = 0; i < 95; i++) {
      FakeHolder next = new FakeHolder(10);
      next.owner = "greedy";
      next.waited = 100;
      greedy.add(next);
      outboxes.add(next);
    }
    outboxes.reserve(950);
    outboxes.reserve(10);
    assertThat(modest.isOpen()).isTrue();
    assertThat(greedy.stream().filter(it -> !it.isOpen())).hasSize(1);
  }

  @Test
  void waitingPagesOfAnAddressGiveWayToThoseOfOthers() {
    MemoryBound outboxes = new MemoryBound(1_000);
    List<FakeHolder> greedy = new ArrayList<>();
    for (int i = 0; i < 75; i++) {
      FakeHolder next = new FakeHolder(10);
      next.owner = "greedy";
      next.waited = 1_000;
      greedy.add(next);
      outboxes.add(next);
    }
    outboxes.reserve(750); // all that can wait
    List<String> served = new ArrayList<>();
    List<Runnable> checks = new ArrayList<>();
    outboxes.awaitShare("greedy", () -> served.add("greedy 1"), checks::add);
    outboxes.awaitShare("greedy", () -> served.add("greedy 2"), checks::add);
    checks.remove(0).run();
    assertThat(greedy).as("nobody else waits").allMatch(FakeHolder::isOpen);
    outboxes.awaitShare("modest", () -> served.add("modest"), checks::add);
    checks.remove(0).run();
    assertThat(greedy.stream().filter(FakeHolder::isOpen)).hasSize(37);
    greedy.stream().filter(it -> !it.isOpen()).forEach(outboxes::remove);
    outboxes.release(10);
    outboxes.release(10);
    assertThat(served).containsExactly("greedy 1", "modest");
  }

  private static final class FakeHolder implements MemoryBound.Holder {
    private long waiting;
    private long waited;
    private boolean open = true;
    private Object owner = this;

    FakeHolder(long waiting) {
      this.waiting = waiting;
    }

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public long heldBytes() {
      return waiting;
    }

    @Override
    public long waitedMillis() {
      return waited;
    }

    @Override
    public Object owner() {
      return owner;
    }

    @Override
    public void disconnect() {
      open = false;
    }
  }

  /** Reads until a text comes; returns how many bytes of text that were. */
  private static long readUntil(RawSocket socket, String text) throws IOException {
    long read = 0;
    RawSocket.ReceivedFrame frame;
    do {
      frame = socket.read();
      read += frame.payload().length;
    } while (!frame.text().equals(text));
    return read;
  }
}
