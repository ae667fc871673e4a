package gambit.app.server.nats;

import static org.awaitility.Awaitility.await;

import gambit.app.FreePort;
import gambit.app.GambitProcess;
import gambit.app.LocalRelay;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes behind Caddy with the documentation's recipe: a client may be at any of them, and
 * gets another one when its node goes. The nodes, of which only the one that is killed has a
 * process, have loopback addresses of their own, because the recipe asks them all at one port.
 */
@ThoroughOnly
class ClusterProxyIT {
  private static final Path CADDY = Path.of("/usr/bin/caddy");
  private static final Path RECIPE = Path.of("../docs/operations/Caddyfile-cluster");
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final AtomicInteger NOTES = new AtomicInteger();

  @TempDir Path temp;

  private GambitProcess leader;
  private final List<LocalRelay> followers = new ArrayList<>();
  private NatsServers nats;
  private Process proxy;
  private URI url;
  private int metricsPort;

  @AfterEach
  void end() throws InterruptedException {
    if (proxy != null) {
      proxy.destroyForcibly().waitFor(2, TimeUnit.MINUTES);
    }
    if (leader != null) {
      leader.close();
    }
    followers.forEach(LocalRelay::close);
    if (nats != null) {
      nats.close();
    }
  }

  private void start() throws IOException {
    nats = NatsServers.start(1);
    int port = FreePort.any();
    metricsPort = FreePort.any();
    List<String> upstreams = new ArrayList<>();
    for (int number = 1; number <= 3; number++) {
      Path data = Files.createDirectories(temp.resolve("node" + number));
      String[] settings = {
        "relay.listen=127.0.0." + number,
        "metrics.listen=127.0.0." + number,
        "metrics.port=" + metricsPort,
        "cluster.takeover_after=1m", // the leader's death is noticed without its silence
        "cluster.servers=" + nats.urls().get(0)
      };
      if (number == 1) {
        leader = process(port, data, settings);
      } else {
        Files.copy(temp.resolve("node1/relay.key"), data.resolve("relay.key"));
        followers.add(new LocalRelay(data, port, settings));
      }
      upstreams.add("127.0.0." + number + ":" + port);
    }
    startProxy(String.join(" ", upstreams));
  }

  private static GambitProcess process(int port, Path data, String... settings) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--port", "" + port, "--data", "" + data));
    for (String setting : settings) {
      arguments.addAll(List.of("--set", setting));
    }
    arguments.addAll(List.of("--set", "chess.house.enabled=false"));
    return GambitProcess.relayIn(Map.of(), arguments.toArray(String[]::new));
  }

  private void startProxy(String upstreams) throws IOException {
    int port = FreePort.any();
    url = URI.create("ws://localhost:" + port);
    Path recipe =
        Files.writeString(
            temp.resolve("Caddyfile"), "{\n\tadmin off\n}\n" + Files.readString(RECIPE));
    ProcessBuilder builder =
        new ProcessBuilder(
                CADDY.toString(), "run", "--adapter", "caddyfile", "--config", recipe.toString())
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("caddy.log").toFile());
    builder.environment().put("HOME", temp.toString());
    builder.environment().put("XDG_DATA_HOME", temp.toString());
    builder.environment().put("XDG_CONFIG_HOME", temp.toString());
    builder.environment().put("RELAY_DOMAIN", "http://localhost:" + port);
    builder.environment().put("RELAY_UPSTREAMS", upstreams);
    builder.environment().put("RELAY_HEALTH_PORT", "" + metricsPort);
    proxy = builder.start();
    await()
        .atMost(LONG)
        .until(
            () -> {
              try (Socket socket = new Socket("localhost", port)) {
                return socket.isConnected();
              } catch (IOException e) {
                return false;
              }
            });
  }

  private String metrics(int number) throws IOException {
    URI page = URI.create("http://127.0.0." + number + ":" + metricsPort + "/metrics");
    try (InputStream in = page.toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Event note() {
    return Keys.of("alice")
        .sign(Instant.now().getEpochSecond(), 1, Tags.NONE, "" + NOTES.incrementAndGet());
  }

  /** Three clients, of which each node has one; none if they are not spread so. */
  private List<Client> connectThree() throws IOException {
    List<Client> clients = List.of(new Client(url), new Client(url), new Client(url));
    for (int number = 1; number <= 3; number++) {
      if (!metrics(number).contains("\ngambit_connections 1.0\n")) {
        clients.forEach(Client::abort);
        return List.of();
      }
    }
    return clients;
  }

  @Test
  void newConnectionsGoToTheNodesThatAreReadyAlsoWhenTheLeaderIsKilled() throws IOException {
    Assumptions.assumeTrue(Files.isExecutable(CADDY), "Debian's package caddy is not installed");
    start();
    List<Client> clients =
        await("one connection at each node, once all are known to be ready")
            .atMost(LONG)
            .until(this::connectThree, it -> !it.isEmpty());
    try {
      for (Client client : clients) {
        client.publishAccepted(note());
      }
      leader.kill();
      for (int i = 0; i < 4; i++) {
        try (Client client = new Client(url)) {
          client.publishAccepted(note());
        }
      }
    } finally {
      clients.forEach(Client::abort);
    }
  }
}
