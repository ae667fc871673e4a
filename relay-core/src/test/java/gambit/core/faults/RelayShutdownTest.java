package gambit.core.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.crypto.Signer;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What clients see of a relay that ends. */
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class RelayShutdownTest {
  private static final Signer ALICE = Keys.of("alice");

  /** Events of 80 KB: more than the buffers of a socket take. */
  private static final int FLOOD = 60;

  private final FaultyStore store = new FaultyStore();
  private final TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);

  @Test
  void everyEventReadIsAnsweredBeforeTheCloseFrameAndNoneIsReadAfterIt() {
    int events = 400; // more than a connection may have under way
    List<Client> clients = List.of(relay.connect(), relay.connect(), relay.connect());
    store.blockCommits();
    for (int i = 0; i < events; i++) {
      for (Client client : clients) {
        client.publishWithoutWaiting(note("note " + i + " of " + client));
      }
    }
    int paused = clients.size() * LimitValues.DEFAULT.get(Limit.EVENTS_UNDER_WAY);
    await().until(() -> relay.metrics().read("events_under_way") >= paused);
    CompletableFuture<Void> ending = beginToEnd();
    store.unblockCommits();
    int accepted = 0;
    for (Client client : clients) {
      String frame = client.next();
      for (; !frame.equals("closed with 1001"); frame = client.next()) {
        assertThat(frame).startsWith("[\"OK\",").endsWith(",true,\"\"]");
        accepted++;
      }
    }
    ending.join();
    assertThat(relay.metrics().read("events_under_way")).isZero();
    assertThat(accepted).isBetween(paused, clients.size() * events - 1);
    assertThat(store.size()).isEqualTo(accepted);
  }

  @Test
  void closeFrameFollowsAllQueuedFrames() throws IOException {
    int events =
        10; // more than the system's buffers hold, and read within the two seconds of a shutdown
    try (RawSocket slow = RawSocket.withSmallReceiveBuffer(relay.uri());
        Client other = relay.connect()) {
      slow.sendText("[\"REQ\",\"live\",{\"limit\":0,\"kinds\":[20001]}]");
      assertThat(slow.read().text()).isEqualTo("[\"EOSE\",\"live\"]");
      for (int i = 0; i < events; i++) {
        other.publishAccepted(ALICE.sign(relay.now(), 20_001, Tags.NONE, i + "x".repeat(80_000)));
      }
      Event last = note("last");
      slow.sendText("[\"EVENT\"," + last + "]");
      await().until(() -> store.contains(last.id()));
      assertThat(relay.metrics().read("outbox_bytes")).isPositive();
      CompletableFuture<Void> ending = beginToEnd();
      for (int i = 0; i < events; i++) {
        assertThat(slow.read().text()).startsWith("[\"EVENT\",\"live\",");
      }
      assertThat(slow.read().text()).isEqualTo("[\"OK\",\"" + last.id() + "\",true,\"\"]");
      assertThat(slow.read().closeCode()).isEqualTo(1001);
      ending.join();
    }
  }

  @Test
  void connectionWithoutHandshakeIsAnswered503() throws IOException {
    store.blockCommits();
    Client client = relay.connect();
    try (RawSocket late = new RawSocket(relay.uri())) {
      late.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      late.readBody(late.readHead());
      client.publish(note("under way"));
      await().until(() -> relay.metrics().read("events_under_way") == 1);
      CompletableFuture<Void> ending = beginToEnd();
      late.write(RawSocket.UPGRADE);
      assertThat(late.readHead()).startsWith("HTTP/1.1 503 ");
      store.unblockCommits();
      assertThat(client.next()).endsWith(",true,\"\"]");
      assertThat(client.awaitClose()).isEqualTo(1001);
      ending.join();
    }
  }

  @Test
  void clientsThatNeverReadOrCloseDoNotDelayTheShutdown() throws IOException {
    List<RawSocket> clients = new ArrayList<>();
    try (Client other = relay.connect()) {
      clients.add(RawSocket.withSmallReceiveBuffer(relay.uri()));
      clients.get(0).sendText("[\"REQ\",\"live\",{\"limit\":0,\"kinds\":[20001]}]");
      clients.add(RawSocket.upgraded(relay.uri()));
      clients.add(new RawSocket(relay.uri()));
      await().until(() -> relay.metrics().read("subscriptions") == 1);
      for (int i = 0; i < FLOOD; i++) {
        other.publishAccepted(ALICE.sign(relay.now(), 20_001, Tags.NONE, i + "x".repeat(80_000)));
      }
      relay.close();
      assertThat(clients.get(1).read().closeCode()).isEqualTo(1001);
      assertThat(clients.get(1).isAtEnd()).isTrue();
      assertThat(clients.get(2).isAtEnd()).isTrue();
    } finally {
      for (RawSocket client : clients) {
        client.close();
      }
    }
  }

  /** Ends the relay on a thread of its own; returns when it takes no connections any more. */
  private CompletableFuture<Void> beginToEnd() {
    CompletableFuture<Void> ending = CompletableFuture.runAsync(relay::close);
    await().until(this::refusesConnections);
    return ending;
  }

  private boolean refusesConnections() throws IOException {
    try (Socket socket = new Socket(relay.uri().getHost(), relay.uri().getPort())) {
      return !socket.isConnected();
    } catch (SocketException e) {
      return true; // refused, or reset while the port was being closed
    }
  }

  private Event note(String content) {
    return ALICE.sign(relay.now(), 1, Tags.NONE, content);
  }
}
