package gambit.app.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.GambitProcess;
import gambit.core.testkit.Client;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The death of any thread ends the program with a message that names the thread. */
class ThreadDeathIT {
  /** The name prefixes of all threads that the program starts. */
  static final List<String> THREADS =
      List.of(
          "main",
          "chess",
          "plugin",
          "management",
          "writer",
          "index",
          "live",
          "query",
          "scan",
          "sweep",
          "deadlines",
          "acceptor",
          "event-loop",
          "operators-port",
          "operations");

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
          "jnr.ffi.util.ref.internal.Finalizer",
          "C1 CompilerThread",
          "C2 CompilerThread",
          "Sweeper thread",
          "JDWP ");

  @TempDir Path data;

  @Test
  void everyThreadOfTheProgramIsListed() throws Exception {
    try (Debugger debugger = new Debugger();
        GambitProcess relay =
            GambitProcess.relayWith(GambitProcess.quick(debugger.javaOption()), data);
        Client client = new Client(relay.url())) {
      assertThat(client.queryIds("{}")).isEmpty();
      assertThat(debugger.threads())
          .allMatch(
              name ->
                  THREADS.stream().anyMatch(name::startsWith)
                      || OTHER_THREADS.stream().anyMatch(name::startsWith));
    }
  }

  @ParameterizedTest
  @FieldSource("THREADS")
  void theDeathOfAnyThreadEndsTheProgram(String thread) throws Exception {
    try (Debugger debugger = new Debugger();
        GambitProcess relay =
            GambitProcess.relayWith(GambitProcess.quick(debugger.javaOption()), data)) {
      debugger.throwErrorIn(thread);
      await().atMost(Duration.ofMinutes(1)).until(() -> hasEnded(relay));
      assertThat(relay.exitStatus()).isEqualTo(1);
      assertThat(relay.errors())
          .containsPattern("Gambit ends: the thread " + thread + "\\S* died: [a-z]");
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
