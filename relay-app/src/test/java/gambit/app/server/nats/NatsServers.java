package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.FreePort;
import gambit.core.testkit.TestDirectories;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Real NATS servers with JetStream, in processes of their own, on loopback by default: one, or a
 * cluster. Their entries are synced before they are acknowledged, as the operations page demands.
 * The test is skipped if the machine has no such program ({@link NatsProgram}).
 */
public final class NatsServers implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(2);

  /**
   * Where a server runs.
   *
   * @param address on which it listens
   * @param command what comes before the program, as in {@code ip netns exec a}
   */
  public record Place(String address, List<String> command) {
    private static final Place LOOPBACK = new Place("127.0.0.1", List.of());
  }

  /** One of the servers. */
  public final class Server {
    private final int number;
    private final Place place;
    private final int port;
    private @Nullable Process process;

    private Server(int number, Place place, int port) {
      this.number = number;
      this.place = place;
      this.port = port;
    }

    public String url() {
      return scheme + "://" + place.address() + ":" + port;
    }

    /** Its name in the answers of NATS. */
    public String name() {
      return "n" + number;
    }

    /** Starts it again, with its data. */
    public void start() {
      try {
        Path log = directory.resolve(name() + ".log");
        List<String> command = new ArrayList<>(place.command());
        command.addAll(List.of(program.toString(), "-c", configuration(this).toString()));
        process =
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Ends it at once, as {@code kill -9} does. */
    public void kill() {
      if (process != null) {
        process.destroyForcibly().onExit().join();
        process = null;
      }
    }

    /** Stops it without a notice to anybody, as {@code kill -STOP} does. */
    public void suspend() {
      signal("STOP");
      Awaitility.await(name()).until(this::standsStill); // threads stop one by one
    }

    private boolean standsStill() throws IOException {
      Path tasks = Path.of("/proc", process.pid() + "", "task");
      if (!Files.exists(tasks)) {
        return true; // not Linux
      }
      try (Stream<Path> each = Files.list(tasks)) {
        for (Path task : each.toList()) {
          String state = Files.readString(task.resolve("stat"));
          if (state.charAt(state.lastIndexOf(')') + 2) != 'T') {
            return false;
          }
        }
      }
      return true;
    }

    /** Lets it continue. */
    public void resume() {
      signal("CONT");
    }

    private void signal(String name) {
      try {
        Process kill = new ProcessBuilder("kill", "-" + name, process.pid() + "").start();
        assertThat(kill.waitFor()).isZero();
      } catch (IOException | InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    private boolean hasEnded() {
      Process started = process;
      return started != null && !started.isAlive();
    }

    private AssertionError failed(String how) {
      return new AssertionError("The NATS server " + name() + how + ". Its log:\n" + log());
    }

    String log() {
      try {
        return Files.readString(directory.resolve(name() + ".log"));
      } catch (IOException e) {
        return "";
      }
    }
  }

  private final Path program = NatsProgram.path();
  private final Path directory;
  private final String scheme;
  private String options;
  private final List<Server> servers = new ArrayList<>();
  private final List<Integer> routes = new ArrayList<>();

  private NatsServers(List<Place> places, String scheme, String options) {
    this.scheme = scheme;
    this.options = options;
    try {
      directory = TestDirectories.create();
      for (Place place : places) {
        servers.add(new Server(servers.size() + 1, place, FreePort.any()));
        routes.add(FreePort.any());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    servers.forEach(Server::start);
  }

  /** Starts servers, which form a cluster if there are several, and waits until they are ready. */
  public static NatsServers start(int count) {
    return start(Collections.nCopies(count, Place.LOOPBACK));
  }

  /** Starts a server at each place, and waits until they are ready. */
  public static NatsServers start(List<Place> places) {
    NatsServers started = new NatsServers(places, "nats", "");
    started.awaitOrClose(
        () -> {
          started.servers.forEach(it -> await(it, () -> isConnectable(it)));
          if (places.size() > 1) {
            started.servers.forEach(it -> await(it, () -> it.log().contains("metadata leader")));
          }
        });
    return started;
  }

  /** Starts one server with further lines of configuration, as for TLS or users. */
  public static NatsServers startWith(String scheme, String options) {
    NatsServers started = new NatsServers(List.of(Place.LOOPBACK), scheme, options);
    Server server = started.server(0);
    started.awaitOrClose(() -> await(server, () -> server.log().contains("Server is ready")));
    return started;
  }

  private void awaitOrClose(Runnable wait) {
    boolean isReady = false;
    try {
      wait.run();
      isReady = true;
    } finally {
      if (!isReady) {
        close();
      }
    }
  }

  /** Changes the further lines of configuration for servers that are started from now on. */
  void configure(String lines) {
    options = lines;
  }

  /** Waits for a server; a failure shows its log. */
  private static void await(Server server, Callable<Boolean> condition) {
    try {
      Awaitility.await().atMost(START).until(() -> server.hasEnded() || condition.call());
    } catch (ConditionTimeoutException e) {
      throw server.failed(" was not ready within " + START.toSeconds() + " s");
    }
    if (server.hasEnded()) {
      throw server.failed(" has ended");
    }
  }

  private static boolean isConnectable(Server server) throws InterruptedException {
    try {
      Nats.connect(new Options.Builder().server(server.url()).noReconnect().build()).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private Path configuration(Server server) throws IOException {
    String cluster =
        servers.size() == 1
            ? ""
            : """
            cluster {
              name: "test-%d"
              listen: "%s:%d"
              routes: [%s]
            }
            """
                .formatted(
                    routes.get(0), // two clusters with a name would become one
                    server.place.address(),
                    routes.get(server.number - 1),
                    servers.stream()
                        .map(it -> it.place.address() + ":" + routes.get(it.number - 1))
                        .map(address -> "\"nats-route://" + address + "\"")
                        .collect(Collectors.joining(", ")));
    String text =
        """
        server_name: %s
        listen: "%s:%d"
        jetstream {
          store_dir: "%s"
          max_file_store: 4G
          sync_interval: always
        }
        %s
        %s
        """
            .formatted(
                server.name(),
                server.place.address(),
                server.port,
                directory.resolve(server.name()),
                cluster,
                options);
    return Files.writeString(directory.resolve(server.name() + ".conf"), text);
  }

  /** One of the servers, from 0 on. */
  public Server server(int index) {
    return servers.get(index);
  }

  /** All servers. */
  public List<Server> all() {
    return List.copyOf(servers);
  }

  /** The server of that name. */
  public Server named(String name) {
    return servers.stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
  }

  /** The URLs of all servers. */
  public List<String> urls() {
    return servers.stream().map(Server::url).toList();
  }

  /** Kills the servers and deletes their data. */
  @Override
  public void close() {
    servers.forEach(Server::kill);
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
