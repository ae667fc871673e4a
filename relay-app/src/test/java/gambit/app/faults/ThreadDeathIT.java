package gambit.app.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.GambitProcess;
import gambit.app.server.nats.NatsServers;
import gambit.core.testkit.Client;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The death of any thread ends the program with a message that names the thread. */
class ThreadDeathIT {
  /** The name prefixes of all threads that the program starts. */
  static final List<String> THREADS =
      List.of(
          "main",
          "chess",
          "ratings",
          "previews",
          "plugin",
          "management",
          "writer",
          "index",
          "live",
          "query",
          "scan",
          "sweep",
          "deadlines",
          "event-loop",
          "operators-port",
          "operations");

  /** Of them, one for each code that threads run; lanes run the same. */
  private static final List<String> SORTS =
      List.of(
          "main",
          "chess",
          "writer",
          "index",
          "live",
          "query",
          "deadlines",
          "event-loop",
          "operators-port",
          "operations");

  /** The name prefixes of further threads of a cluster's node. */
  static final List<String> THREADS_OF_A_NODE = List.of("cluster", "bus-sender", "snapshots");

  /** The name prefix of the threads of the library for NATS. */
  private static final String NATS = "nats-";

  /** The name prefixes of Java's threads, and of threads that clean up after garbage collection. */
  private static final List<String> OTHER_THREADS =
      List.of(
          "Reference Handler",
          "Finalizer",
          "Signal Dispatcher",
          "Service Thread",
          "Monitor Deflation Thread",
          "Notification Thread",
          "Common-Cleaner",
          "Cleaner-",
          "C1 CompilerThread",
          "C2 CompilerThread",
          "Sweeper thread",
          "JDWP ");

  @TempDir Path data;

  /** All threads in a long run, one of each sort in CI; in an ordinary build, one of them. */
  static List<String> dyingThreads() {
    return TestEffort.isLong() ? THREADS : TestEffort.isThorough() ? SORTS : List.of("writer");
  }

  @ParameterizedTest
  @MethodSource("dyingThreads")
  void everyThreadIsListedAndTheDeathOfAnyEndsTheProgram(String thread) throws Exception {
    try (Debugger debugger = new Debugger();
        GambitProcess relay =
            GambitProcess.relayWith(GambitProcess.quick(debugger.javaOption()), data)) {
      try (Client client = new Client(relay.url())) {
        assertThat(client.queryIds("{}")).isEmpty();
      }
      assertThat(debugger.threads())
          .allMatch(
              name ->
                  THREADS.stream().anyMatch(name::startsWith)
                      || OTHER_THREADS.stream().anyMatch(name::startsWith));
      debugger.throwErrorIn(thread);
      await().atMost(Duration.ofMinutes(2)).until(() -> hasEnded(relay));
      assertThat(relay.exitStatus()).isEqualTo(1);
      assertThat(relay.errors())
          .containsPattern("Gambit ends: the thread " + thread + "\\S* died: [a-z]");
    }
  }

  private GambitProcess node(NatsServers nats, Debugger debugger) throws IOException {
    return GambitProcess.relayWith(
        GambitProcess.quick(debugger.javaOption()),
        data,
        "--set",
        "cluster.servers=" + nats.urls().get(0));
  }

  @ThoroughOnly
  @ParameterizedTest
  @FieldSource("THREADS_OF_A_NODE")
  void everyThreadOfAClustersNodeIsListedAndTheDeathOfItsOwnEndsTheProgram(String thread)
      throws Exception {
    try (NatsServers nats = NatsServers.start(1);
        Debugger debugger = new Debugger();
        GambitProcess relay = node(nats, debugger)) {
      assertThat(debugger.threads())
          .containsAll(THREADS_OF_A_NODE)
          .allMatch(
              name ->
                  name.startsWith(NATS)
                      || Stream.of(THREADS, THREADS_OF_A_NODE, OTHER_THREADS)
                          .flatMap(List::stream)
                          .anyMatch(name::startsWith));
      debugger.throwErrorIn(thread);
      await().atMost(Duration.ofMinutes(2)).until(() -> hasEnded(relay));
      assertThat(relay.exitStatus()).isEqualTo(1);
      assertThat(relay.errors())
          .containsPattern("Gambit ends: the thread " + thread + "\\S* died: [a-z]");
    }
  }

  /** The thread dies in the library's code that waits for messages of the bus. */
  @ThoroughOnly
  @Test
  void theDeathOfAThreadThatReceivesFromNatsEndsTheProgram() throws Exception {
    try (NatsServers nats = NatsServers.start(1);
        Debugger debugger = new Debugger();
        GambitProcess relay = node(nats, debugger)) {
      String thread = debugger.throwErrorInThreadAt(NATS, "io.nats.client.impl.NatsDispatcher");
      await().atMost(Duration.ofMinutes(2)).until(() -> hasEnded(relay));
      assertThat(relay.exitStatus()).isEqualTo(1);
      assertThat(relay.errors()).contains("Gambit ends: the thread " + thread + " died: ");
    }
  }

  /** Whether the relay has ended; also wakes threads that wait for the network. */
  private static boolean hasEnded(GambitProcess relay) {
    try {
      Client.httpRequest("GET", relay.metricsUrl(), "text/plain");
      new Client(relay.url()).abort();
    } catch (CompletionException e) {
      // The relay has ended, or the thread that would answer.
    }
    return !relay.isRunning();
  }
}
