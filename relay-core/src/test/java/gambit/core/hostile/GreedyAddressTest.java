package gambit.core.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.crypto.Signer;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.model.Tags;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.net.TrustedProxies;
import gambit.core.store.EventStore;
import gambit.core.testkit.ChangedSettings;
import gambit.core.testkit.Client;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.SyncClient;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Of each bound that is common to all clients, one address or one key gets no more than a share,
 * with any number of connections: twenty modest clients beside it are served.
 */
class GreedyAddressTest {
  private static final int MODEST = 20;
  private static final String GREEDY = "203.0.113.7";

  private final List<Client> clients = new ArrayList<>();
  private TestRelay relay = new TestRelay();

  /** A relay behind a proxy at this machine. */
  private void start(LimitValues limits, EventStore store) {
    relay.close();
    relay = new TestRelay(limits, store);
    relay.change(
        settings ->
            ChangedSettings.with(
                settings,
                new TransportSettings(false, TrustedProxies.parse(List.of("127.0.0.1")))));
  }

  @AfterEach
  void end() {
    clients.forEach(Client::abort);
    relay.close();
  }

  private Client connect(String address) {
    Client client = new Client(relay.uri(), Map.of("X-Forwarded-For", address));
    clients.add(client);
    return client;
  }

  /** Asks over connections of one address, ten times over each, until one request is refused. */
  private int acceptedOfGreedy(int most, Predicate<Client> request) {
    int accepted = 0;
    while (accepted < most) {
      Client client = connect(GREEDY);
      for (int i = 0; i < 10; i++) {
        if (!request.test(client)) {
          return accepted;
        }
        accepted++;
      }
    }
    return accepted;
  }

  private void requireThatModestAreServed(Predicate<Client> request) {
    for (int i = 0; i < MODEST; i++) {
      assertThat(request.test(connect("198.51.100." + i))).as("modest client %d", i).isTrue();
    }
  }

  private static boolean subscribes(Client client, int values) {
    String id = "s" + Math.random();
    client.send(
        IntStream.range(0, values)
            .mapToObj(i -> "\"%064x\"".formatted(i))
            .collect(
                Collectors.joining(
                    ",", "[\"REQ\",\"" + id + "\",{\"limit\":0,\"authors\":[", "]}]")));
    return client.next().startsWith("[\"EOSE\"");
  }

  @Test
  void filterValues() {
    start(
        TestLimits.builder().set(Limit.ALL_FILTER_VALUES, 10_000).build(),
        new MemoryEventStore(1 << 20));
    assertThat(acceptedOfGreedy(100, client -> subscribes(client, 99))).isEqualTo(50);
    requireThatModestAreServed(client -> subscribes(client, 99));
  }

  @Test
  void filterValuesOfAKeyAtManyAddresses() {
    start(
        TestLimits.builder().set(Limit.ALL_FILTER_VALUES, 10_000).build(),
        new MemoryEventStore(1 << 20));
    Signer key = Keys.of("alice");
    int accepted = 0;
    boolean isAccepted = true;
    for (int i = 0; isAccepted && i < 20; i++) {
      Client client = connect("192.0.2." + i);
      assertThat(subscribes(client, 99)).as("before the login").isTrue();
      client.login(relay.now(), key);
      accepted++;
      for (int j = 0; j < 9 && isAccepted; j++) {
        isAccepted = subscribes(client, 99);
        accepted += isAccepted ? 1 : 0;
      }
    }
    assertThat(accepted).as("and those of one connection before its login").isBetween(50, 51);
    requireThatModestAreServed(
        client -> subscribes(client.login(relay.now(), Keys.of("modest")), 9));
  }

  @Test
  void syncs() {
    start(
        TestLimits.builder().set(Limit.ALL_SYNC_BYTES, 1 << 20).build(),
        new MemoryEventStore(1 << 20));
    Predicate<Client> syncs =
        client ->
            client
                .send(
                    "[\"NEG-OPEN\",\""
                        + Math.random()
                        + "\",{},\""
                        + SyncClient.firstMessage()
                        + "\"]")
                .next()
                .startsWith("[\"NEG-MSG\"");
    assertThat(acceptedOfGreedy(256, syncs)).isBetween(100, 128);
    requireThatModestAreServed(syncs);
  }

  @Test
  void connections() {
    start(TestLimits.builder().set(Limit.CONNECTIONS, 100).build(), new MemoryEventStore(1 << 20));
    for (int i = 0; i < 50; i++) {
      connect(GREEDY);
    }
    assertThatThrownBy(() -> connect(GREEDY)).hasStackTraceContaining("status code 429");
    requireThatModestAreServed(client -> subscribes(client, 1));
  }

  @Test
  void eventsUnderWay() {
    FaultyStore store = new FaultyStore();
    start(LimitValues.DEFAULT, store);
    store.blockCommits();
    Tags tags = new Tags(List.of(Collections.nCopies(30_000, "x"))); // 2 MB on the heap
    Client greedy = connect(GREEDY);
    for (int i = 0; i < 60; i++) {
      greedy.publishWithoutWaiting(Keys.of("alice").sign(relay.now(), 1, tags, "note " + i));
    }
    assertThat(greedy.next()).contains("rate-limited: the relay is busy");
    List<Client> modest =
        IntStream.range(0, MODEST).mapToObj(i -> connect("198.51.100." + i)).toList();
    Tags fewer = new Tags(List.of(Collections.nCopies(5_000, "x"))); // 0.3 MB
    modest.forEach(
        it -> it.publish(Keys.of("bob").sign(relay.now(), 1, fewer, "by " + it.hashCode())));
    modest.forEach(it -> it.send("[\"?\"]"));
    assertThat(modest).allMatch(it -> it.next().contains("NOTICE")); // not refused
    store.unblockCommits();
    assertThat(modest).noneMatch(it -> it.next().contains("rate-limited"));
  }
}
