package gambit.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.testkit.Client;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Whichever thread dies, the program ends and says which: it is never half there. */
class DyingThreadsIT {
  /** All that the program starts, by the beginning of their names. */
  static final List<String> THREADS =
      List.of(
          "main",
          "chess",
          "writer",
          "live",
          "query",
          "scan",
          "sweep",
          "deadlines",
          "acceptor",
          "event-loop",
          "HTTP-Dispatcher",
          "operations",
          "idle-timeout-task",
          "req-rsp-timeout-task");

  /** Java's own, and those that only clean up behind what was garbage collected. */
  private static final List<String> OTHERS =
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
  void thereAreNoOtherThreadsThanTheseTestsKnow() throws Exception {
    try (Debugger debugger = new Debugger();
        Program relay = Program.relayWith(Program.quick(debugger.javaOption()), data);
        Client client = new Client(relay.url())) {
      assertThat(client.queryIds("{}")).isEmpty();
      assertThat(debugger.threads())
          .allMatch(
              name ->
                  THREADS.stream().anyMatch(name::startsWith)
                      || OTHERS.stream().anyMatch(name::startsWith));
    }
  }

  @ParameterizedTest
  @FieldSource("THREADS")
  void aDeadThreadEndsTheProgram(String thread) throws Exception {
    try (Debugger debugger = new Debugger();
        Program relay = Program.relayWith(Program.quick(debugger.javaOption()), data)) {
      debugger.fail(thread);
      await().atMost(Duration.ofMinutes(1)).until(() -> hasEnded(relay));
      assertThat(relay.exitStatus()).isEqualTo(1);
      assertThat(relay.errors())
          .containsPattern("Gambit ends: the thread " + thread + "\\S* died: [a-z]");
    }
  }

  /** Whether it has; what waits for the network is woken. */
  private static boolean hasEnded(Program relay) {
    try {
      Client.httpRequest("GET", relay.metricsUrl(), "text/plain");
      new Client(relay.url()).abort();
    } catch (CompletionException e) {
      // It has ended, or that thread has.
    }
    return !relay.isRunning();
  }
}
