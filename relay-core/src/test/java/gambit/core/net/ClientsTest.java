package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.limit.CurrentLimits;
import gambit.core.limit.MemoryBound;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.net.WebSocketHandler.IncompleteMessageBytes;
import gambit.core.rate.ClientAddress;
import gambit.core.rate.RateLimits;
import gambit.core.session.Peer;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connections that do not become a WebSocket do not prevent others. */
class ClientsTest {
  private static final String REQUESTING = "requesting";

  @Test
  void oldestHttpConnectionIsClosedWhenThereAreTooMany() throws IOException {
    int most = 50;
    List<RawSocket> waiting = new ArrayList<>();
    try (TestRelay relay =
            new TestRelay(
                TestLimits.connections(most, 0), RateLimits.NONE, TransportSettings.DEFAULT);
        RawSocket upgraded = RawSocket.upgraded(relay.uri())) {
      for (int i = 0; i < most; i++) {
        RawSocket next = new RawSocket(relay.uri());
        next.write("GET / HTTP/1.1\r\n");
        waiting.add(next);
        if (i == 0) { // each event loop registers its own: the others come after this one
          await().until(() -> relay.metrics().read(REQUESTING) == 1);
        }
      }
      await().until(() -> relay.metrics().read(REQUESTING) == most);
      for (int i = 0; i < 3; i++) {
        try (RawSocket late = RawSocket.upgraded(relay.uri())) {
          assertThat(late.isServed()).isTrue();
        }
      }
      assertThat(waiting.get(0).isAtEnd()).isTrue();
      RawSocket youngest = waiting.get(waiting.size() - 1);
      youngest.write("Host: x\r\n\r\n");
      assertThat(youngest.readHead()).startsWith("HTTP/1.1 200 ");
      assertThat(upgraded.isServed()).as("a WebSocket is none of them").isTrue();
      for (RawSocket one : waiting) {
        one.close();
      }
      await().until(() -> relay.metrics().read(REQUESTING) == 0);
    }
  }

  /** As Netty has it: the address of the socket, whatever a request will say. */
  private static EmbeddedChannel from(String address) {
    return new EmbeddedChannel() {
      @Override
      protected SocketAddress remoteAddress0() {
        return new InetSocketAddress(address, 1);
      }
    };
  }

  @Test
  void addressWithTheMostHttpConnectionsLosesItsOldest() {
    Clients clients = new Clients(new CurrentLimits(TestLimits.connections(50, 0)));
    List<EmbeddedChannel> modest = new ArrayList<>();
    List<EmbeddedChannel> greedy = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      if (i < 20) {
        modest.add(from("198.51.100." + i));
        clients.accepted(modest.get(i));
      }
      greedy.add(from("203.0.113.7"));
      clients.accepted(greedy.get(i));
    }
    assertThat(modest).allMatch(EmbeddedChannel::isOpen);
    assertThat(greedy.subList(0, 70)).noneMatch(EmbeddedChannel::isOpen);
    assertThat(clients.requesting()).isEqualTo(50);
    modest.forEach(EmbeddedChannel::close);
    greedy.forEach(EmbeddedChannel::close);
    assertThat(clients.requesting()).isZero();
  }

  @Test
  void incompleteMessagesOfManyConnectionsOfAnAddressDoNotEndTheLongestOfAnother() {
    Clients clients = new Clients(new CurrentLimits(TestLimits.connections(1_000, 0)));
    MemoryBound unfinished = new MemoryBound(100_000);
    List<IncompleteMessageBytes> modest = new ArrayList<>();
    List<IncompleteMessageBytes> greedy = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      if (i < 20) {
        modest.add(incomplete(clients, "198.51.100." + i, unfinished));
        modest.get(i).set(2_000);
      }
      greedy.add(incomplete(clients, "203.0.113.7", unfinished));
      greedy.get(i).set(600);
    }
    assertThat(modest).allMatch(IncompleteMessageBytes::isOpen);
    assertThat(greedy).anyMatch(it -> !it.isOpen());
  }

  private static IncompleteMessageBytes incomplete(
      Clients clients, String address, MemoryBound all) {
    EmbeddedChannel channel = from(address);
    ClientAddress client = ClientAddress.parse(address).orElseThrow();
    assertThat(clients.admit(channel, new Peer(client, false, false))).isEmpty();
    return new IncompleteMessageBytes(channel, client, all);
  }

  @Test
  void allClientsMayReconnectAtOnce() throws IOException {
    int herd = 3_000;
    List<RawSocket> clients = new ArrayList<>();
    try (TestRelay relay = new TestRelay()) {
      for (int i = 0; i < herd; i++) {
        RawSocket next = new RawSocket(relay.uri());
        next.write(RawSocket.UPGRADE);
        clients.add(next);
      }
      for (RawSocket client : clients) {
        client.readUpgradeAnswer();
      }
      assertThat(relay.metrics().read("connections")).isEqualTo(herd);
      for (RawSocket client : clients) {
        client.close();
      }
    }
  }
}
