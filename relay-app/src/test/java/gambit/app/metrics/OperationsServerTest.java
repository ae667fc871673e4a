package gambit.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gambit.core.limit.Limits;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The answers of the operators' port in each state of a relay. */
class OperationsServerTest {
  private final OperationsServer server;
  private final FaultyStore store = new FaultyStore();

  OperationsServerTest() throws IOException {
    server = new OperationsServer(0, Duration.ofMillis(500));
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void aStartingProgramIsAliveAndNotReady() {
    assertAnswers("/health/live", 200, "alive");
    assertAnswers("/health/ready", 503, "the store is being opened");
  }

  @Test
  void aServingRelayIsAliveAndReady() {
    try (TestRelay relay = watched()) {
      assertAnswers("/health/live", 200, "alive");
      assertAnswers("/health/ready", 200, "ready");
      assertThat(relay.health().objection()).isEmpty();
    }
  }

  @Test
  void aRelayWithStoreDamageIsReadyAndReportsTheDamage() {
    try (TestRelay relay = watched()) {
      store.setDamagedRecords(2);
      assertAnswers(
          "/health/ready", 200, "ready\ndamaged records found in the store: 2; run gambit check");
      assertThat(relay.metrics().read("damaged_records")).isEqualTo(2);
    }
  }

  @Test
  void aRelayWithAStuckLaneIsNotAlive() {
    try (TestRelay relay = watched();
        Client client = relay.connect()) {
      store.blockCommits();
      client.publish(Keys.of("alice").sign(relay.now(), 1, Tags.NONE, "hello"));
      assertAnswers("/health/live", 503, "no turn within 500 ms: writer");
      store.unblockCommits();
      assertAnswers("/health/live", 200, "alive");
    }
  }

  @Test
  void aRelayWithAFullStoreIsAliveAndNotReady() {
    try (TestRelay relay = watched()) {
      store.setFull(true);
      assertAnswers("/health/live", 200, "alive");
      assertAnswers("/health/ready", 503, "the store is full");
      assertThat(relay.health().objection()).isPresent();
    }
  }

  @Test
  void anEndingRelayIsAliveAndNotReady() {
    TestRelay relay = watched();
    Client client = relay.connect();
    store.blockCommits();
    client.publish(Keys.of("alice").sign(relay.now(), 1, Tags.NONE, "hello"));
    await().until(() -> relay.metrics().read("events_under_way") == 1);
    CompletableFuture<Void> ending = CompletableFuture.runAsync(relay::close);
    assertAnswers("/health/ready", 503, "the relay is ending");
    assertAnswers("/health/live", 200, "alive");
    store.unblockCommits();
    ending.join();
  }

  @Test
  void incompleteRequestsDoNotDelayOtherRequests() throws IOException {
    try (Socket silent = connect();
        Socket slow = connect();
        Socket slower = connect()) {
      for (Socket each : new Socket[] {slow, slower}) {
        each.getOutputStream().write("GET /metrics HT".getBytes(StandardCharsets.UTF_8));
      }
      assertThat(silent.isConnected()).isTrue();
      assertAnswers("/health/live", 200, "alive");
      assertThat(ask("GET", "/metrics").body()).contains("jvm_memory_used_bytes");
    }
  }

  @Test
  void unknownPathsAndOtherMethodsAreRefused() {
    assertThat(ask("GET", "/health").statusCode()).isEqualTo(404);
    assertThat(ask("GET", "/").statusCode()).isEqualTo(404);
    assertThat(ask("POST", "/metrics").statusCode()).isEqualTo(405);
  }

  @Test
  void thePortIsReachableFromLoopbackOnly() throws IOException {
    assertThat(server.address().getAddress().isLoopbackAddress()).isTrue();
    for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      for (InetAddress address : Collections.list(network.getInetAddresses())) {
        if (!address.isLoopbackAddress()) {
          assertThatThrownBy(() -> new Socket(address, server.port()).close())
              .as("%s", address)
              .isInstanceOf(IOException.class);
        }
      }
    }
  }

  private TestRelay watched() {
    TestRelay relay = new TestRelay(Limits.DEFAULT, store);
    server.report(relay.health());
    return relay;
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), server.port());
  }

  /** Waits for the answer, because a healthy relay may be late on a loaded machine. */
  private void assertAnswers(String path, int status, String line) {
    await()
        .untilAsserted(
            () -> {
              HttpResponse<String> answer = ask("GET", path);
              assertThat(answer.body()).isEqualTo(line + "\n");
              assertThat(answer.statusCode()).isEqualTo(status);
            });
  }

  private HttpResponse<String> ask(String method, String path) {
    return Client.httpRequest(
        method, URI.create("http://localhost:" + server.port() + path), "*/*");
  }
}
