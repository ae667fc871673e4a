package gambit.app.proxies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.FreePort;
import gambit.app.GambitProcess;
import gambit.app.tool.client.RecordingPlayer;
import gambit.app.tool.client.RelayPlace;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestCertificate;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The recipes for Caddy and nginx, with the real programs: TLS, information document, WebSockets,
 * clients' addresses, and a restart of the relay under load that no request notices.
 */
@ThoroughOnly
class ProxiesIT {
  private static final TestCertificate CERTIFICATE = TestCertificate.ofLocalhost();
  private static final int BY_ADDRESS = 3;
  private static final int REQUESTERS = 4;

  @TempDir Path data;
  @TempDir Path files;

  @ParameterizedTest
  @EnumSource(Proxy.Program.class)
  void aGameIsPlayedThroughTheProxyAndARestartFailsNoRequest(Proxy.Program program)
      throws Exception {
    Assumptions.assumeTrue(program.file().isPresent(), program + " is not installed");
    try (RelayUnderTest relay = new RelayUnderTest();
        Proxy proxy = new Proxy(program, files, CERTIFICATE, relay.port)) {
      RelayPlace place =
          new RelayPlace(proxy.url(), "wss://relay.example.com", CERTIFICATE.trusting());
      try (RecordingPlayer white = new RecordingPlayer(place);
          RecordingPlayer black = new RecordingPlayer(place)) {
        assertThat(
                answerTo(
                    proxy,
                    "GET / HTTP/1.1\r\nHost: localhost\r\nAccept: application/nostr+json\r\nConnection: close\r\n\r\n"))
            .startsWith("HTTP/1.1 200 ");
        assertClientsAddressesCount(proxy);
        publish(proxy, "before");
        RecordingPlayer.of(white.client.search(null));
        RecordingPlayer.of(black.client.search(null));
        await().until(() -> white.awaitGame().isOurTurn() || black.awaitGame().isOurTurn());
        RecordingPlayer first = white.game().isOurTurn() ? white : black;
        RecordingPlayer second = first == white ? black : white;
        first.move("e2e4");
        second.awaitTurn(1);

        restartUnderLoad(relay, proxy);

        first.awaitConnections(2);
        second.awaitConnections(2);
        await().until(() -> second.game().isOurTurn());
        second.move("e7e5");
        first.awaitTurn(2);
        publish(proxy, "after");
      }
      assertThat(stored(proxy)).isEqualTo(2);
    }
  }

  /** A relay process that is replaced by another one with the same port and data. */
  private final class RelayUnderTest implements AutoCloseable {
    private GambitProcess process;
    private final int port;

    RelayUnderTest() throws IOException {
      port = FreePort.any();
      process = GambitProcess.relayAt(port, data, settings());
    }

    private String[] settings() {
      return new String[] {
        "--url", "wss://relay.example.com",
        "--set", "transport.proxies=127.0.0.1",
        "--set", "limits.connections_by_address=" + BY_ADDRESS
      };
    }

    void restart() throws IOException {
      assertThat(process.terminate().exitStatus()).isZero();
      process = GambitProcess.relayAt(port, data, settings());
    }

    @Override
    public void close() {
      process.close();
    }
  }

  /** Clients at other addresses of this machine; what a client claims does not count. */
  private static void assertClientsAddressesCount(Proxy proxy) throws IOException {
    List<RawSocket> open = new ArrayList<>();
    try {
      for (int i = 0; i < BY_ADDRESS; i++) {
        open.add(from("127.0.0.5", proxy));
        assertThat(upgrade(open.get(i))).startsWith("HTTP/1.1 101 ");
      }
      open.add(from("127.0.0.5", proxy));
      assertThat(upgrade(open.get(BY_ADDRESS))).startsWith("HTTP/1.1 429 ");
      open.add(from("127.0.0.6", proxy));
      assertThat(upgrade(open.get(BY_ADDRESS + 1))).startsWith("HTTP/1.1 101 ");
    } finally {
      for (RawSocket each : open) {
        each.close();
      }
    }
  }

  private static String upgrade(RawSocket raw) throws IOException {
    String forged = "X-Forwarded-For: 203.0.113." + System.nanoTime() % 250;
    raw.write(RawSocket.upgradeWith(forged).replace("Host: x", "Host: localhost"));
    return raw.readHead();
  }

  private static RawSocket from(String address, Proxy proxy) throws IOException {
    Socket plain = new Socket();
    plain.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
    plain.connect(new InetSocketAddress("127.0.0.1", proxy.port()));
    return new RawSocket(
        CERTIFICATE
            .trusting()
            .getSocketFactory()
            .createSocket(plain, "localhost", proxy.port(), true));
  }

  /** The head of the answer to a request on a connection of its own. */
  private static String answerTo(Proxy proxy, String request) throws IOException {
    try (RawSocket raw = from("127.0.0.9", proxy)) {
      raw.write(request);
      return raw.readHead();
    }
  }

  private static void restartUnderLoad(RelayUnderTest relay, Proxy proxy) throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicIntegerArray answered = new AtomicIntegerArray(REQUESTERS); // of each
    ExecutorService threads = Executors.newFixedThreadPool(REQUESTERS);
    try {
      List<Future<?>> requesters = new ArrayList<>();
      for (int i = 0; i < REQUESTERS; i++) {
        requesters.add(threads.submit(requester(i, proxy, isOver, answered)));
      }
      awaitAnswers(requesters, answered);
      relay.restart();
      awaitAnswers(requesters, answered);
      isOver.set(true);
      for (Future<?> each : requesters) {
        each.get();
      }
    } finally {
      isOver.set(true);
      threads.shutdownNow();
    }
  }

  /** Waits until each has had ten more answers, or one has failed. */
  private static void awaitAnswers(List<Future<?>> requesters, AtomicIntegerArray answered) {
    int[] before = IntStream.range(0, REQUESTERS).map(answered::get).toArray();
    await()
        .until(
            () ->
                requesters.stream().anyMatch(Future::isDone)
                    || IntStream.range(0, REQUESTERS)
                        .allMatch(i -> answered.get(i) > before[i] + 10));
  }

  /**
   * Makes requests and WebSocket handshakes in turn, each on a connection of its own, and from
   * another address because of their limit.
   */
  private static Callable<?> requester(
      int number, Proxy proxy, AtomicBoolean isOver, AtomicIntegerArray answered) {
    return () -> {
      while (!isOver.get()) {
        int requests = answered.get(number);
        String address = "127.0." + (number + 1) + "." + (1 + requests % 250);
        try (RawSocket raw = from(address, proxy)) {
          if (requests % 2 == 0) {
            raw.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            assertThat(raw.readHead()).as("after %d", requests).startsWith("HTTP/1.1 200 ");
          } else {
            raw.write(RawSocket.UPGRADE.replace("Host: x", "Host: localhost"));
            assertThat(raw.readHead()).as("after %d", requests).startsWith("HTTP/1.1 101 ");
          }
        }
        answered.incrementAndGet(number);
      }
      return null;
    };
  }

  private static Client connect(Proxy proxy) {
    URI url = proxy.url();
    return new Client(url, HttpClient.newBuilder().sslContext(CERTIFICATE.trusting()).build());
  }

  private static void publish(Proxy proxy, String text) {
    try (Client client = connect(proxy)) {
      long now = System.currentTimeMillis() / 1000;
      client.publishAccepted(Keys.of("alice").sign(now, 1, Tags.NONE, text));
    }
  }

  private static int stored(Proxy proxy) {
    try (Client client = connect(proxy)) {
      return client.queryIds("{\"kinds\":[1]}").size();
    }
  }
}
