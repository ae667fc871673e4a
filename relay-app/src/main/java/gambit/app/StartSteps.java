package gambit.app;

import gambit.app.metrics.MetricsSettings;
import gambit.app.metrics.OperationsServer;
import gambit.app.operator.ErrorMessages;
import gambit.app.settings.RelaySettings;
import gambit.app.settings.Settings;
import gambit.app.tls.CertificateFiles;
import gambit.app.tls.TlsSettings;
import gambit.core.Relay;
import gambit.core.RelayParts;
import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.feature.UnreadableRows;
import gambit.core.metrics.Metrics;
import gambit.core.model.RelayUrls;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.store.disk.RowDamaged;
import gambit.core.tls.CertificateFault;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of the start that may fail for reasons outside the program. Each failure is a sentence
 * for the operator.
 */
final class StartSteps {
  private static final Logger LOG = LoggerFactory.getLogger(StartSteps.class);

  /**
   * The time after which a lane or an event loop without a turn is reported as stuck. It is long
   * because some disks are slow.
   */
  private static final Duration TURN_TIMEOUT = Duration.ofSeconds(10);

  private StartSteps() {}

  /** The files of the certificate of the relay's port, if it uses TLS. */
  static Optional<CertificateFiles> certificate(TlsSettings settings, Metrics metrics)
      throws StartFailure {
    try {
      return CertificateFiles.of(settings, metrics);
    } catch (CertificateFault | IllegalArgumentException e) {
      throw new StartFailure("tls.certificate, tls.key: " + e.getMessage());
    }
  }

  /**
   * Creates the key of a relay without one. A relay with events gets a new key only with {@code
   * --new-key}, because its stored games name the old key.
   */
  static Signer createKey(DataDirectory directory, DiskEventStore store, boolean isNewKeyAllowed)
      throws StartFailure {
    if (store.size() > 0 && !isNewKeyAllowed) {
      throw new StartFailure(
          "--data: there are events in "
              + directory.path()
              + " but no relay.key: restore "
              + directory.keyFile()
              + " from its backup (`gambit key import`), or start once with --new-key to continue"
              + " with a new key; docs/operations/keys.md says what that means for games.");
    }
    return directory.createKey();
  }

  static EventVerifier loadVerifier() throws StartFailure {
    try {
      return new EventVerifier();
    } catch (LinkageError | RuntimeException e) {
      throw new StartFailure(
          "There is no native secp256k1 library for this machine ("
              + System.getProperty("os.name")
              + ", "
              + System.getProperty("os.arch")
              + "); the relay cannot run without it.");
    }
  }

  /**
   * Opens the store. After a crash of the machine this may take minutes, in which only the
   * operators' port is open.
   */
  static DiskEventStore openStore(Path directory, Settings settings) throws StartFailure {
    try {
      Files.createDirectories(directory);
      return DiskEventStore.open(
          directory, InstantSource.system(), settings.store().minFreeBytes());
    } catch (LinkageError e) {
      throw new StartFailure(
          "There is no native LMDB library for this machine ("
              + System.getProperty("os.name")
              + ", "
              + System.getProperty("os.arch")
              + "), or it cannot be unpacked to "
              + System.getProperty("java.io.tmpdir")
              + ".");
    } catch (IOException e) {
      throw new StartFailure(
          "--data: the store in " + directory + " cannot be used: " + withCause(e));
    }
  }

  private static String withCause(Throwable e) {
    Throwable cause = e.getCause();
    return ErrorMessages.of(e) + (cause == null ? "" : " (" + ErrorMessages.of(cause) + ")") + ".";
  }

  static OperationsServer listenForOperators(MetricsSettings settings, Consumer<Throwable> onDeath)
      throws StartFailure {
    InetSocketAddress address = new InetSocketAddress(settings.listen(), settings.port());
    if (settings.listen().isBlank() || address.isUnresolved()) {
      throw new StartFailure("metrics.listen: there is no address for " + settings.listen() + ".");
    }
    if (settings.token() == null && !address.getAddress().isLoopbackAddress()) {
      LOG.warn(
          "metrics.listen is {} and metrics.token is empty: whoever can reach port {} reads the"
              + " metrics",
          settings.listen(),
          settings.port());
    }
    try {
      return new OperationsServer(address, settings.token(), TURN_TIMEOUT, onDeath);
    } catch (IOException e) {
      throw new StartFailure(
          "metrics.listen, --metrics-port: cannot listen on "
              + settings.listen()
              + ":"
              + settings.port()
              + ": "
              + ErrorMessages.of(e)
              + ".");
    }
  }

  static InetSocketAddress address(RelaySettings relay) throws StartFailure {
    InetSocketAddress address =
        new InetSocketAddress(relay.listen(), relay.port() == 0 ? freePort() : relay.port());
    if (relay.listen().isBlank() || address.isUnresolved()) {
      throw new StartFailure("--listen: there is no address for " + relay.listen() + ".");
    }
    return address;
  }

  /** A free port for {@code --port 0}, chosen before the relay listens because its URLs need it. */
  private static int freePort() throws StartFailure {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new StartFailure("--port: there is no free port: " + ErrorMessages.of(e) + ".");
    }
  }

  static Relay listen(RelayParts parts) throws StartFailure {
    try {
      return new Relay(parts);
    } catch (BindException e) {
      throw new StartFailure(
          "--listen, --port: cannot listen on "
              + parts.port().address().getHostString()
              + ":"
              + parts.port().address().getPort()
              + ": "
              + ErrorMessages.of(e)
              + ".");
    } catch (UnreadableRows e) {
      throw new StartFailure(
          "--data: "
              + withCause(e)
              + " If a newer version of Gambit has used this directory, start that version;"
              + " otherwise restore the directory from a backup.");
    } catch (RowDamaged e) {
      throw new StartFailure(
          "--data: " + e.getMessage() + "; restore the data directory from a backup.");
    }
  }

  /** The configured URLs of the relay, or by default its loopback URLs. */
  static RelayUrls urls(List<String> configured, boolean isEncrypted, int port) {
    List<String> loopback =
        Stream.of("localhost", "127.0.0.1", "[::1]")
            .map(host -> (isEncrypted ? "wss://" : "ws://") + host + ":" + port)
            .toList();
    return new RelayUrls(configured.isEmpty() ? loopback : configured);
  }
}
