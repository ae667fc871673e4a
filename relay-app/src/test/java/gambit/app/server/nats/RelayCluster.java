package gambit.app.server.nats;

import static org.awaitility.Awaitility.await;

import gambit.app.GambitProcess;
import gambit.app.LocalRelay;
import gambit.core.testkit.Client;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Three relays that are one, and a real NATS server. Each is in a process of its own, or in this
 * one, which takes a fraction of the time. Nodes are numbered from 0 on.
 */
final class RelayCluster implements AutoCloseable {
  static final int NODES = 3;

  /** For the end of a wait on a machine that is busy. */
  static final Duration LONG = Duration.ofMinutes(2);

  private static final List<String> KEYS = List.of("relay.key", "house.key");

  private final Path directory;
  private final String[] settings;
  private final NatsServers nats;
  private final int processes;
  private final GambitProcess[] nodes = new GambitProcess[NODES];
  private final LocalRelay[] local = new LocalRelay[NODES];

  private RelayCluster(Path directory, int processes, NatsServers nats, String... settings) {
    this.directory = directory;
    this.processes = processes;
    this.nats = nats;
    this.settings = settings.clone();
  }

  /**
   * Starts the server and the nodes, of which the first leads.
   *
   * @param settings of all nodes, such as {@code chess.abandon_grace=5s}
   */
  static RelayCluster start(Path directory, String... settings) {
    return start(new RelayCluster(directory, NODES, NatsServers.start(1), settings));
  }

  /**
   * The same with only the first nodes in processes of their own, which can be killed. The silence
   * of a leader is not the reason of a takeover, since a relay in this process is not started anew
   * when it is overtaken.
   */
  static RelayCluster startHere(Path directory, int processes, String... settings) {
    String[] all = Arrays.copyOf(settings, settings.length + 1);
    all[settings.length] = "cluster.takeover_after=1m";
    return start(new RelayCluster(directory, processes, NatsServers.start(1), all));
  }

  private static RelayCluster start(RelayCluster cluster) {
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
    List<String> all = new ArrayList<>(List.of(settings));
    all.add("cluster.servers=[\"" + nats.urls().get(0) + "\"]");
    if (number >= processes) {
      local[number] = new LocalRelay(data(number), 0, all.toArray(String[]::new));
      return;
    }
    List<String> arguments = new ArrayList<>();
    all.forEach(setting -> arguments.addAll(List.of("--set", setting)));
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

  /** The process of a node that has one. */
  GambitProcess node(int number) {
    return nodes[number];
  }

  URI url(int number) {
    return local[number] == null ? node(number).url() : local[number].uri();
  }

  private URI metricsUrl(int number) {
    return local[number] == null ? node(number).metricsUrl() : local[number].metricsUrl();
  }

  /** All gauges and counters of a node by their names, which include their labels. */
  Map<String, Double> metrics(int number) throws IOException {
    return GambitProcess.metrics(metricsUrl(number));
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
      return (local[number] != null || node(number).isRunning())
          && metrics(number).get("gambit_cluster_leads") == 1;
    } catch (IOException e) {
      return false;
    }
  }

  /** The numbers of the nodes that follow. */
  List<Integer> followers() {
    int leader = leader();
    return all().stream().filter(number -> number != leader).toList();
  }

  /** Kills a node that has a process, at once. */
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
        (HttpURLConnection) metricsUrl(number).resolve(path).toURL().openConnection();
    connection.setReadTimeout((int) LONG.toMillis());
    try {
      return connection.getResponseCode();
    } finally {
      connection.disconnect();
    }
  }

  @Override
  public void close() {
    Stream.of(nodes).filter(Objects::nonNull).forEach(GambitProcess::close);
    Stream.of(local).filter(Objects::nonNull).forEach(LocalRelay::close);
    nats.close();
  }
}
