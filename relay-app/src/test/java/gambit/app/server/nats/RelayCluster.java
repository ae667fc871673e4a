package gambit.app.server.nats;

import static org.awaitility.Awaitility.await;

import gambit.app.GambitProcess;
import gambit.core.testkit.Client;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Three relays that are one, each in a process of its own, and a real NATS server. Nodes are
 * numbered from 0 on.
 */
final class RelayCluster implements AutoCloseable {
  static final int NODES = 3;

  /** For the end of a wait on a machine that is busy. */
  static final Duration LONG = Duration.ofMinutes(2);

  private static final List<String> KEYS = List.of("relay.key", "house.key");

  private final Path directory;
  private final String[] settings;
  private final NatsServers nats;
  private final GambitProcess[] nodes = new GambitProcess[NODES];

  private RelayCluster(Path directory, NatsServers nats, String... settings) {
    this.directory = directory;
    this.nats = nats;
    this.settings = settings.clone();
  }

  /**
   * Starts the server and the nodes, of which the first leads.
   *
   * @param settings of all nodes, such as {@code chess.abandon_grace=5s}
   */
  static RelayCluster start(Path directory, String... settings) {
    RelayCluster cluster = new RelayCluster(directory, NatsServers.start(1), settings);
    boolean isStarted = false;
    try {
      cluster.start(0);
      cluster.copyKeys();
      cluster.startAll(1, 2);
      isStarted = true;
      return cluster;
    } finally {
      if (!isStarted) {
        cluster.close();
      }
    }
  }

  private void copyKeys() {
    try {
      for (int i = 1; i < NODES; i++) {
        Files.createDirectories(data(i));
        for (String key : KEYS) {
          if (Files.exists(data(0).resolve(key))) {
            Files.copy(data(0).resolve(key), data(i).resolve(key));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void startAll(int... numbers) {
    CompletableFuture.allOf(
            IntStream.of(numbers)
                .mapToObj(number -> CompletableFuture.runAsync(() -> start(number)))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  /** Starts a node, with its data if it was started before. */
  void start(int number) {
    List<String> arguments =
        new ArrayList<>(List.of("--set", "cluster.servers=[\"" + nats.urls().get(0) + "\"]"));
    Stream.of(settings).forEach(setting -> arguments.addAll(List.of("--set", setting)));
    try {
      nodes[number] = GambitProcess.relay(data(number), arguments.toArray(String[]::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  NatsServers nats() {
    return nats;
  }

  Path data(int number) {
    return directory.resolve("node" + number);
  }

  GambitProcess node(int number) {
    return nodes[number];
  }

  URI url(int number) {
    return node(number).url();
  }

  URI httpUrl(int number) {
    return URI.create(url(number).toString().replaceFirst("^ws", "http"));
  }

  Client client(int number) {
    return new Client(url(number));
  }

  /** The nodes' numbers. */
  static List<Integer> all() {
    return IntStream.range(0, NODES).boxed().toList();
  }

  /** The number of the node that leads; waits until one does. */
  int leader() {
    return await()
        .atMost(LONG)
        .until(() -> all().stream().filter(this::leads).toList(), found -> found.size() == 1)
        .get(0);
  }

  private boolean leads(int number) {
    try {
      return node(number).isRunning() && node(number).metric("gambit_cluster_leads") == 1;
    } catch (IOException e) {
      return false;
    }
  }

  /** The numbers of the nodes that follow. */
  List<Integer> followers() {
    int leader = leader();
    return all().stream().filter(number -> number != leader).toList();
  }

  /** Kills a node at once. */
  void kill(int number) {
    node(number).close();
  }

  /** Starts a killed node again, and waits until it is ready. */
  void restart(int number) {
    start(number);
    await().atMost(LONG).until(() -> readiness(number) == 200);
  }

  /** The status of {@code /health/ready}. */
  int readiness(int number) throws IOException {
    return status(number, "/health/ready");
  }

  /** The status of {@code /health/live}. */
  int liveness(int number) throws IOException {
    return status(number, "/health/live");
  }

  private int status(int number, String path) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) node(number).metricsUrl().resolve(path).toURL().openConnection();
    connection.setReadTimeout((int) LONG.toMillis());
    try {
      return connection.getResponseCode();
    } finally {
      connection.disconnect();
    }
  }

  @Override
  public void close() {
    for (GambitProcess node : nodes) {
      if (node != null) {
        node.close();
      }
    }
    nats.close();
  }
}
