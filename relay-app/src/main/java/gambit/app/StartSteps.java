package gambit.app;

import static java.util.stream.Collectors.joining;

import com.sun.management.OperatingSystemMXBean;
import gambit.app.common.CommandFailure;
import gambit.app.common.ErrorMessages;
import gambit.app.server.data.Backups;
import gambit.app.server.data.DataDirectory;
import gambit.app.server.metrics.MetricsSettings;
import gambit.app.server.metrics.OperationsServer;
import gambit.app.server.settings.RelaySettings;
import gambit.app.server.settings.Settings;
import gambit.app.server.tls.AcmeFiles;
import gambit.app.server.tls.CertificateFiles;
import gambit.app.server.tls.TlsSettings;
import gambit.core.Relay;
import gambit.core.RelayComponents;
import gambit.core.feature.UnreadableRows;
import gambit.core.metrics.Metrics;
import gambit.core.store.RowDamaged;
import gambit.core.tls.CertificateFault;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
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

  private static final int MAX_NAMED_FILES = 10;
  private static final long MEGABYTE = 1 << 20;

  private StartSteps() {}

  static Optional<CertificateFiles> certificate(
      TlsSettings settings, Optional<AcmeFiles> acme, Metrics metrics) throws CommandFailure {
    if (!settings.isOn()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new CertificateFiles(
              acme.map(AcmeFiles::certificate).or(settings::certificate).orElseThrow(),
              acme.map(AcmeFiles::certificate).or(settings::key).orElseThrow(),
              InstantSource.system(),
              metrics));
    } catch (CertificateFault | IllegalArgumentException e) {
      throw new CommandFailure("tls.certificate, tls.key: " + e.getMessage());
    }
  }

  static Optional<AcmeFiles> acme(TlsSettings settings, Path data) throws CommandFailure {
    try {
      return settings.acme().isPresent()
          ? Optional.of(new AcmeFiles(data, settings.acme().get(), Instant.now()))
          : Optional.empty();
    } catch (CertificateFault e) {
      throw new CommandFailure("--data: " + e.getMessage());
    }
  }

  static Backups backups(Settings settings, Path data) {
    return new Backups(
        data, settings.backup(), bytesLeftByBackups(settings), InstantSource.system());
  }

  /** So that the relay can go on for a while after a backup has filled the disk. */
  static long bytesLeftByBackups(Settings settings) {
    return 2 * settings.store().minFreeBytes();
  }

  static void warnOfOpenFiles(DataDirectory data) {
    List<Path> open = data.openToOthers(MAX_NAMED_FILES + 1);
    if (!open.isEmpty()) {
      LOG.warn(
          "Other users of this machine may read or lock files with keys and private messages; to"
              + " change that: chmod -R go= {}. They have permissions for {}{}",
          data.path(),
          open.stream().limit(MAX_NAMED_FILES).map(Path::toString).collect(joining(", ")),
          open.size() > MAX_NAMED_FILES ? " and further files" : "");
    }
  }

  static OperationsServer listenForOperators(MetricsSettings settings, Consumer<Throwable> onDeath)
      throws CommandFailure {
    InetSocketAddress address = new InetSocketAddress(settings.listen(), settings.port());
    if (settings.listen().isBlank() || address.isUnresolved()) {
      throw new CommandFailure(
          "metrics.listen: there is no address for " + settings.listen() + ".");
    }
    if (settings.token() == null && !address.getAddress().isLoopbackAddress()) {
      throw new CommandFailure(
          ("metrics.listen is %s, where others could read the metrics: set metrics.token, or listen"
                  + " on 127.0.0.1.")
              .formatted(settings.listen()));
    }
    try {
      return new OperationsServer(address, settings.token(), TURN_TIMEOUT, onDeath);
    } catch (IOException e) {
      throw new CommandFailure(
          "metrics.listen, --metrics-port: cannot listen on %s:%s: %s."
              .formatted(settings.listen(), settings.port(), ErrorMessages.of(e)));
    }
  }

  static InetSocketAddress address(RelaySettings relay) throws CommandFailure {
    InetSocketAddress address =
        new InetSocketAddress(relay.listen(), relay.port() == 0 ? freePort() : relay.port());
    if (relay.listen().isBlank() || address.isUnresolved()) {
      throw new CommandFailure("--listen: there is no address for " + relay.listen() + ".");
    }
    return address;
  }

  /**
   * A free port for {@code --port 0}, chosen before the relay listens because its URLs need it. Not
   * one of those that systems give to outgoing connections, which might take it meanwhile.
   */
  private static int freePort() throws CommandFailure {
    for (int attempt = 0; attempt < 100; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(16_384, 32_768);
      try (ServerSocket socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (IOException e) {
        // taken; the next one may be free
      }
    }
    throw new CommandFailure("--port: there is no free port.");
  }

  static Relay listen(RelayComponents parts) throws CommandFailure {
    try {
      return new Relay(parts);
    } catch (BindException e) {
      throw new CommandFailure(
          "--listen, --port: cannot listen on %s:%s: %s."
              .formatted(
                  parts.port().address().getHostString(),
                  parts.port().address().getPort(),
                  ErrorMessages.of(e)));
    } catch (UnreadableRows e) {
      throw new CommandFailure(
          ("--data: %s If a newer version of Gambit has used this directory, start that version;"
                  + " otherwise restore the directory from a backup.")
              .formatted(ErrorMessages.withCause(e)));
    } catch (RowDamaged e) {
      throw new CommandFailure(
          "--data: " + e.getMessage() + "; restore the data directory from a backup.");
    }
  }

  /**
   * The options for Java that the launch script gives a relay, in a sentence for one that was
   * started without a size of the heap: Java's default is a quarter of the machine's memory.
   */
  static Optional<String> heapAdvice() {
    boolean isGiven =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .anyMatch(it -> it.matches("-Xmx.*|-XX:Max(HeapSize|RAM).*"));
    return isGiven ? Optional.empty() : Optional.of(heapAdviceOfMachine());
  }

  private static String heapAdviceOfMachine() {
    var machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long memory = machine.getTotalMemorySize() / MEGABYTE;
    long heap = Math.min(512, memory * 2 / 5);
    return String.format(
        "Java's heap may grow to %d of the %d MB of this machine. Start the relay with the launch"
            + " script gambit, or give java: -XX:+UseSerialGC -Xms%dm -XX:NewSize=%dm"
            + " -XX:MaxNewSize=%dm -XX:NewRatio=1 -Xmx%dm -XX:SurvivorRatio=6 -XX:MetaspaceSize=64m"
            + " -XX:FreqInlineSize=150 -XX:InlineSmallCode=1200 -XX:+ExitOnOutOfMemoryError",
        Runtime.getRuntime().maxMemory() / MEGABYTE,
        memory,
        Math.min(64, heap),
        Math.min(32, heap / 2),
        Math.min(192, heap / 2),
        heap);
  }
}
