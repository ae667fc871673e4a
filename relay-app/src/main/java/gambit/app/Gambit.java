package gambit.app;

import gambit.app.metrics.MicrometerMeters;
import gambit.app.metrics.OperationsServer;
import gambit.app.operator.OperatorWords;
import gambit.chess.session.ChessFeature;
import gambit.core.Relay;
import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.feature.Feature;
import gambit.core.feature.UnreadableRows;
import gambit.core.lane.TimerDeadlines;
import gambit.core.model.PubKey;
import gambit.core.model.RelayUrls;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.store.disk.RowDamaged;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running program: this page wires it. */
final class Gambit implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Gambit.class);

  /** How long a lane or an event loop may take until its next turn: some disks are slow. */
  private static final Duration TURN = Duration.ofSeconds(10);

  /** What the command line says. */
  record Options(
      String host, int port, int metricsPort, Path data, boolean newKey, Settings settings) {}

  private final Deque<Runnable> closers = new ArrayDeque<>();
  private final PubKey key;
  private final Path data;
  private final long events;
  private final Relay.Parts parts;
  private final Relay relay;
  private final int metricsPort;

  /**
   * Starts everything.
   *
   * @param onDeath hears of a thread that died: the process should end
   * @throws CannotStart when something that the program needs cannot be had
   */
  Gambit(Options options, Consumer<Throwable> onDeath) throws CannotStart {
    boolean started = false;
    try {
      requireTwoPorts(options);
      EventVerifier verifier = loadVerifier();
      DataDirectory directory = new DataDirectory(options.data());
      closers.push(directory::close);
      Optional<Signer> existing = directory.relayKey();
      if (options.newKey() && existing.isPresent()) {
        throw new CannotStart(
            "--new-key: "
                + directory.keyFile()
                + " is there and is never replaced; start without --new-key to use it, or move it"
                + " away first.");
      }
      Settings settings = options.settings();
      OperationsServer operations = listenForOperators(options.metricsPort());
      closers.push(operations::close);
      DiskEventStore store = openStore(directory.path().resolve("store"), settings);
      closers.push(store::close);
      Signer signer =
          existing.isPresent() ? existing.get() : newKey(directory, store, options.newKey());
      TimerDeadlines deadlines = new TimerDeadlines(onDeath);
      closers.push(deadlines::close);
      InetSocketAddress address = address(options);
      parts =
          new Relay.Parts(
              settings.about(),
              version(),
              address,
              urls(settings.urls(), address.getPort()),
              settings.limits(),
              settings.rates(),
              settings.transport(),
              store,
              settings.retention(),
              verifier,
              signer,
              InstantSource.system(),
              deadlines,
              new MicrometerMeters(operations.registry()),
              settings.nips(),
              features(settings),
              onDeath);
      relay = listen(parts);
      closers.push(relay::close);
      operations.watch(relay.health());
      events = store.size();
      key = signer.pubkey();
      data = directory.path();
      metricsPort = operations.port();
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  /** Everything that this relay can do beyond an ordinary one. */
  private static List<Feature> features(Settings settings) {
    return List.of(settings.admission(), new ChessFeature(settings.chess()));
  }

  private static void requireTwoPorts(Options options) throws CannotStart {
    if (options.port() != 0 && options.port() == options.metricsPort()) {
      throw new CannotStart(
          "--metrics-port: " + options.port() + " is the relay's own port (--port) already.");
    }
  }

  /**
   * A key for a relay that has none. Where there are events, it would be another relay's: the games
   * that are stored name the old key.
   */
  private static Signer newKey(DataDirectory directory, DiskEventStore store, boolean isMeant)
      throws CannotStart {
    if (store.size() > 0 && !isMeant) {
      throw new CannotStart(
          "--data: there are events in "
              + directory.path()
              + " but no relay.key: restore "
              + directory.keyFile()
              + " from its backup, or start once with --new-key to go on under another key.");
    }
    return directory.makeKey();
  }

  private static EventVerifier loadVerifier() throws CannotStart {
    try {
      return new EventVerifier();
    } catch (LinkageError | RuntimeException e) {
      throw new CannotStart(
          "There is no native secp256k1 library for this machine ("
              + System.getProperty("os.name")
              + ", "
              + System.getProperty("os.arch")
              + "), and no flag that could do without it.");
    }
  }

  /**
   * Opens the store, which may take a while after a crash of the machine: only operators are
   * answered.
   */
  private static DiskEventStore openStore(Path directory, Settings settings) throws CannotStart {
    try {
      Files.createDirectories(directory);
      return DiskEventStore.open(directory, InstantSource.system(), settings.minFreeBytes());
    } catch (LinkageError e) {
      throw new CannotStart(
          "There is no native LMDB library for this machine ("
              + System.getProperty("os.name")
              + ", "
              + System.getProperty("os.arch")
              + "), or it cannot be unpacked to "
              + System.getProperty("java.io.tmpdir")
              + ".");
    } catch (IOException e) {
      throw new CannotStart("--data: the store in " + directory + " cannot be used: " + words(e));
    }
  }

  private static String words(Throwable e) {
    Throwable cause = e.getCause();
    return OperatorWords.of(e) + (cause == null ? "" : " (" + OperatorWords.of(cause) + ")") + ".";
  }

  private static OperationsServer listenForOperators(int port) throws CannotStart {
    try {
      return new OperationsServer(port, TURN);
    } catch (IOException | IllegalArgumentException e) {
      throw new CannotStart(
          "--metrics-port: cannot listen on " + port + ": " + OperatorWords.of(e) + ".");
    }
  }

  private static InetSocketAddress address(Options options) throws CannotStart {
    if (options.port() < 0 || options.port() > 65_535) {
      throw new CannotStart("--port: " + options.port() + " is not a port.");
    }
    InetSocketAddress address =
        new InetSocketAddress(options.host(), options.port() == 0 ? freePort() : options.port());
    if (options.host().isBlank() || address.isUnresolved()) {
      throw new CannotStart("--listen: there is no address for " + options.host() + ".");
    }
    return address;
  }

  /** A port for {@code --port 0}: the relay's own URLs name it before it listens. */
  private static int freePort() throws CannotStart {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new CannotStart("--port: there is no free port: " + OperatorWords.of(e) + ".");
    }
  }

  private static Relay listen(Relay.Parts parts) throws CannotStart {
    try {
      return new Relay(parts);
    } catch (BindException e) {
      throw new CannotStart(
          "--listen, --port: cannot listen on "
              + parts.address().getHostString()
              + ":"
              + parts.address().getPort()
              + ": "
              + OperatorWords.of(e)
              + ".");
    } catch (UnreadableRows e) {
      throw new CannotStart("--data: " + words(e));
    } catch (RowDamaged e) {
      throw new CannotStart(
          "--data: " + e.getMessage() + "; restore the data directory from a backup.");
    }
  }

  /** The relay's own URLs: what is set, else the loopback names. */
  private static RelayUrls urls(List<String> set, int port) throws CannotStart {
    List<String> loopback =
        List.of("ws://localhost:" + port, "ws://127.0.0.1:" + port, "ws://[::1]:" + port);
    try {
      return new RelayUrls(set.isEmpty() ? loopback : set);
    } catch (IllegalArgumentException e) {
      throw new CannotStart("--url, relay.url: " + e.getMessage() + ".");
    }
  }

  /** What the relay is made of. */
  Relay.Parts parts() {
    return parts;
  }

  /** The lines that tell an operator what is running. */
  List<String> banner(Options options) {
    return List.of(
        "Gambit "
            + version()
            + " listens on ws://"
            + name(options.host(), relay.address().getPort()),
        "  metrics     http://localhost:" + metricsPort + "/metrics",
        "  public key  " + key.hex(),
        "  data        " + data,
        "  store       on disk, " + events + (events == 1 ? " event" : " events"));
  }

  /** The address in a URL; the default one by its better known name. */
  private static String name(String host, int port) {
    String name = host.equals("127.0.0.1") ? "localhost" : host;
    return (name.contains(":") ? "[" + name + "]" : name) + ":" + port;
  }

  /** The version of the jar, or {@code dev} outside of one. */
  static String version() {
    String version = Gambit.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }

  /** Ends everything in the reverse order of its start; what fails does not stop the rest. */
  @Override
  public void close() {
    while (!closers.isEmpty()) {
      try {
        closers.pop().run();
      } catch (RuntimeException e) {
        LOG.error("Something did not end cleanly", e);
      }
    }
  }
}
