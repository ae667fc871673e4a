package gambit.app.command.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.FreePort;
import gambit.app.GambitProcess;
import gambit.app.server.nats.NatsServers.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A relay of the cluster, in processes one after the other, always on the same ports. One thread
 * starts and ends it.
 */
final class RelayNode {
  private static final String TOKEN = "a-token-of-the-test";
  private static final Duration START = Duration.ofMinutes(2);
  private static final int SHOWN_LINES = 60;

  private final String name;
  private final Path directory;
  private final Place place;
  private final URI url;
  private final URI metrics;
  private final String servers;
  private volatile @Nullable Process process;

  /**
   * A node that is not started.
   *
   * @param address on which it listens
   * @param servers the URLs of the NATS servers
   */
  RelayNode(String name, Path directory, Place place, String address, List<String> servers) {
    this.name = name;
    this.directory = directory;
    this.place = place;
    this.servers = "[\"" + String.join("\", \"", servers) + "\"]";
    try {
      this.url = URI.create("ws://" + address + ":" + FreePort.any());
      this.metrics = URI.create("http://" + address + ":" + FreePort.any());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String name() {
    return name;
  }

  URI url() {
    return url;
  }

  Path data() {
    return directory.resolve(name);
  }

  /** The file with its output. */
  Path log() {
    return directory.resolve(name + ".log");
  }

  /** Starts it; it may not listen yet. */
  void start() {
    try {
      List<String> command = new ArrayList<>(place.command());
      command.addAll(GambitProcess.command(GambitProcess.quick("-Xmx384m")));
      command.addAll(List.of("--port", "" + url.getPort(), "--listen", url.getHost()));
      command.addAll(List.of("--metrics-port", "" + metrics.getPort()));
      command.addAll(List.of("--data", data().toString()));
      for (String setting :
          List.of(
              "metrics.listen=" + metrics.getHost(),
              "metrics.token=" + TOKEN,
              "chess.house.enabled=false",
              "chess.max_clock_skew=300s",
              "cluster.servers=" + servers)) {
        command.addAll(List.of("--set", setting));
      }
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it answers. */
  void awaitStart() {
    await(name)
        .atMost(START)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              assertThat(process.isAlive()).as("%s runs: %s", name, output()).isTrue();
              return metric("gambit_cluster_epoch") >= 0;
            });
  }

  private String output() throws IOException {
    return Files.readString(log());
  }

  /** The lines with errors that it has logged. */
  List<String> errors() throws IOException {
    return output().lines().filter(it -> it.contains(" ERROR ") || it.startsWith("\tat ")).toList();
  }

  /** The newest lines that it has logged. */
  String newestOutput() throws IOException {
    List<String> lines = output().lines().toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
  }

  boolean isRunning() {
    Process current = process;
    return current != null && current.isAlive();
  }

  /** Whether it leads, as far as it knows; false if it does not answer within a second. */
  boolean leads() {
    return metric("gambit_cluster_leads") == 1;
  }

  /** A metric; -1 if it does not answer within a second. */
  double metric(String metric) {
    try {
      URI all = metrics.resolve("/metrics");
      HttpURLConnection connection = (HttpURLConnection) all.toURL().openConnection();
      connection.setConnectTimeout(1_000);
      connection.setReadTimeout(1_000);
      connection.setRequestProperty("Authorization", "Bearer " + TOKEN);
      try (var body = connection.getInputStream()) {
        return new String(body.readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .filter(line -> line.startsWith(metric + " "))
            .mapToDouble(line -> Double.parseDouble(line.substring(metric.length() + 1)))
            .findFirst()
            .orElse(-1);
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return -1;
    }
  }

  /** Ends it at once. */
  void kill() {
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }

  /** Sends SIGTERM. */
  void terminate() {
    signal("TERM");
  }

  /** Waits until it has ended by itself. */
  void awaitEnd() {
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("%s ends", name).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Stops it without a notice to anybody, as {@code kill -STOP} does. */
  void suspend() {
    signal("STOP");
  }

  /** Lets it continue. */
  void resume() {
    signal("CONT");
  }

  private void signal(String signal) {
    try {
      new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start().waitFor();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
