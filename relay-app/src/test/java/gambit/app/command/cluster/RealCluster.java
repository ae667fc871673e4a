package gambit.app.command.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.server.nats.NatsServers;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.ClusterInfo;
import io.nats.client.api.Replica;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Three relays and three NATS servers, in processes of their own. */
final class RealCluster implements AutoCloseable {
  private static final String STREAM = "gambit";
  private static final List<String> RELAYS = List.of("a", "b", "c");
  private static final List<String> SERVERS = List.of("n1", "n2", "n3");

  private final TestNetwork network;
  private final NatsServers nats;
  private final List<RelayNode> nodes = new ArrayList<>();

  private RealCluster(TestNetwork network, NatsServers nats, Path directory) {
    this.network = network;
    this.nats = nats;
    for (String relay : RELAYS) {
      nodes.add(
          new RelayNode(
              relay, directory, network.place(relay), network.clientAddress(relay), nats.urls()));
    }
  }

  /** Starts them all; the test is skipped where there is no NATS server. */
  static RealCluster start(Path directory) throws IOException {
    TestNetwork network = TestNetwork.create(RELAYS, SERVERS);
    network.reasonWithoutCuts().ifPresent(it -> System.out.println("Nothing is cut off: " + it));
    RealCluster started = null;
    try {
      NatsServers nats = NatsServers.start(SERVERS.stream().map(network::place).toList());
      started = new RealCluster(network, nats, directory);
      started.startRelays();
      return started;
    } catch (RuntimeException | IOException | Error e) {
      if (started == null) {
        network.close();
      } else {
        started.close();
      }
      throw e;
    }
  }

  private void startRelays() throws IOException {
    RelayNode first = nodes.get(0);
    first.start();
    first.awaitStart();
    for (RelayNode other : nodes.subList(1, nodes.size())) {
      Files.createDirectories(other.data());
      for (String key : List.of("relay.key", "house.key")) {
        if (Files.exists(first.data().resolve(key))) {
          Files.copy(first.data().resolve(key), other.data().resolve(key));
        }
      }
      other.start();
    }
    nodes.forEach(RelayNode::awaitStart);
    await().atMost(Duration.ofMinutes(2)).until(() -> leader().isPresent());
  }

  List<RelayNode> nodes() {
    return List.copyOf(nodes);
  }

  NatsServers nats() {
    return nats;
  }

  TestNetwork network() {
    return network;
  }

  /** Asserts that no node has logged an error. */
  void checkLogs() throws IOException {
    for (RelayNode node : nodes) {
      assertThat(node.errors()).as("errors of %s", node.name()).isEmpty();
    }
  }

  /** Prints what the nodes have logged of late, for a test that has failed. */
  void printLogs() throws IOException {
    for (RelayNode node : nodes) {
      System.out.println("Log of " + node.name() + ":\n" + node.newestOutput());
    }
  }

  /** The node that leads, if there is one. */
  Optional<RelayNode> leader() {
    return nodes.stream().filter(RelayNode::leads).findFirst();
  }

  /** The name of the NATS server that leads the log; empty if there is none. */
  Optional<String> leadingServer() {
    return log().map(ClusterInfo::getLeader);
  }

  /** Whether all NATS servers are there and have the whole log. */
  boolean isNatsWhole() {
    return log().map(RealCluster::isWhole).orElse(false);
  }

  private static boolean isWhole(ClusterInfo log) {
    List<Replica> others = log.getReplicas();
    return log.getLeader() != null
        && others.size() == SERVERS.size() - 1
        && others.stream().allMatch(it -> it.isCurrent() && !it.isOffline());
  }

  @SuppressWarnings("try") // close() may be interrupted
  private Optional<ClusterInfo> log() {
    Options options =
        new Options.Builder()
            .servers(nats.urls().toArray(String[]::new))
            .connectionTimeout(Duration.ofSeconds(1))
            .noReconnect()
            .build();
    try (Connection connection = Nats.connect(options)) {
      return Optional.ofNullable(
          connection.jetStreamManagement().getStreamInfo(STREAM).getClusterInfo());
    } catch (IOException | JetStreamApiException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    nodes.forEach(RelayNode::kill);
    nats.close();
    network.close();
  }
}
