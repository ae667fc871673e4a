package gambit.app.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.FreePort;
import gambit.app.GambitProcess;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.ThoroughOnly;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The start of the program, its health while it lacks a resource, and its shutdown. */
class LifeCycleIT {
  private static final Signer ALICE = Keys.of("alice");

  @TempDir Path data;

  @Test
  void eventsAcceptedDuringShutdownSurviveARestartAndEveryClientReceivesCloseFrame1001()
      throws Exception {
    int clients = 12;
    Set<String> accepted = Collections.synchronizedSet(new HashSet<>());
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    try (GambitProcess relay = GambitProcess.relay(data)) {
      CountDownLatch answers = new CountDownLatch(500);
      List<Future<Integer>> closed = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        Signer author = Keys.of("author " + i);
        Client client = new Client(relay.url());
        closed.add(threads.submit(() -> publishToTheEnd(client, author, accepted, answers)));
      }
      assertThat(answers.await(5, TimeUnit.MINUTES)).as("answers came").isTrue();
      assertThat(relay.terminate().exitStatus()).isZero();
      for (Future<Integer> each : closed) {
        assertThat(each.get()).isEqualTo(1001);
      }
    } finally {
      threads.shutdownNow();
    }
    try (GambitProcess relay = GambitProcess.relay(data);
        Client client = new Client(relay.url())) {
      List<String> ids = List.copyOf(accepted);
      for (int i = 0; i < ids.size(); i += 500) {
        List<String> some = ids.subList(i, Math.min(i + 500, ids.size()));
        assertThat(client.queryIds("{\"ids\":[\"" + String.join("\",\"", some) + "\"]}"))
            .containsExactlyInAnyOrderElementsOf(some);
      }
    }
  }

  /** Publishes an event after each answer; returns the status code of the close frame. */
  private static int publishToTheEnd(
      Client client, Signer author, Set<String> accepted, CountDownLatch answers) {
    long time = 1_700_000_000;
    for (int i = 0; i < 16; i++) {
      client.publish(author.sign(time++, 1, Tags.NONE, "note"));
    }
    while (true) {
      String frame = client.next();
      if (!frame.startsWith("[")) {
        return Integer.parseInt(frame.replace("closed with ", ""));
      }
      JsonNode ok = Client.parse(frame);
      assertThat(ok.get(2).asBoolean()).as(frame).isTrue();
      accepted.add(ok.get(1).asText());
      answers.countDown();
      try {
        client.publish(author.sign(time++, 1, Tags.NONE, "note"));
      } catch (CompletionException e) {
        // The close frame has been received.
      }
    }
  }

  @ThoroughOnly
  @Test
  void shutdownIsCleanDespiteClientsThatNeverReadOrCloseAndFurtherSignals() throws Exception {
    try (GambitProcess relay = GambitProcess.relay(data);
        RawSocket sleeper = RawSocket.withSmallReceiveBuffer(relay.url());
        RawSocket stayer = RawSocket.upgraded(relay.url());
        Client publisher = new Client(relay.url())) {
      sleeper.sendText("[\"REQ\",\"live\",{\"limit\":0}]");
      assertThat(sleeper.read().text()).isEqualTo("[\"EOSE\",\"live\"]");
      for (int i = 0; i < 100; i++) {
        publisher.publishAccepted(ALICE.sign(now(), 20_001, Tags.NONE, i + "x".repeat(80_000)));
      }
      relay.terminate();
      await()
          .atMost(Duration.ofMinutes(2))
          .until(
              () -> {
                relay.terminate().interrupt();
                return !relay.isRunning();
              });
      assertThat(relay.exitStatus()).isZero();
      assertThat(stayer.read().closeCode()).isEqualTo(1001);
      assertThat(publisher.awaitClose()).isEqualTo(1001);
    }
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "mkfifo")
  void theProgramIsAliveAndNotReadyWhileItOpensTheStoreAndSighupDoesNotEndIt() throws Exception {
    try (GambitProcess relay = GambitProcess.relay(data)) {
      assertThat(health(relay, "ready")).isEqualTo("200 ready");
      assertThat(health(relay, "live")).isEqualTo("200 alive");
      assertThat(relay.terminate().exitStatus()).isZero();
    }
    Path format = data.resolve("store").resolve("format");
    String text = Files.readString(format);
    Files.delete(format);
    assertThat(new ProcessBuilder("mkfifo", "" + format).start().waitFor()).isZero();
    int port = FreePort.any();
    try (GambitProcess relay =
        GambitProcess.run("--port", "0", "--metrics-port", "" + port, "--data", "" + data)) {
      URI operators = URI.create("http://localhost:" + port + "/metrics");
      await()
          .atMost(Duration.ofMinutes(2))
          .ignoreExceptionsMatching(e -> e instanceof CompletionException)
          .until(() -> health(operators, "ready").equals("503 the store is being opened"));
      assertThat(health(operators, "live")).isEqualTo("200 alive");
      relay.hangUp();
      await().until(() -> relay.errorsSoFar().contains("not reloaded: the relay is starting"));
      Files.writeString(format, text); // the program waits for it
      assertThat(relay.firstLine()).contains(" listens on ");
      assertThat(health(operators, "ready")).isEqualTo("200 ready");
    }
  }

  @ThoroughOnly
  @Test
  void theProgramIsAliveAndNotReadyWithoutFreeSpace() throws Exception {
    try (GambitProcess relay = GambitProcess.relay(data, "--set", "store.min_free=1000000G");
        Client client = new Client(relay.url())) {
      Event event = ALICE.sign(now(), 1, Tags.NONE, "hello");
      assertThat(client.answerTo(event)).isEqualTo("error: store is full");
      assertThat(health(relay, "ready")).isEqualTo("503 the store is full");
      assertThat(health(relay, "live")).isEqualTo("200 alive");
    }
  }

  @ThoroughOnly
  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "the files that it has open are counted in /proc")
  void withoutFreeFileHandlesOldConnectionsAreServedAndNewOnesAsSoonAsThereAreSome()
      throws Exception {
    int files;
    try (GambitProcess relay = GambitProcess.relay(data);
        Client client = new Client(relay.url())) {
      client.publishAccepted(ALICE.sign(now(), 1, Tags.NONE, "first"));
      assertThat(health(relay, "ready")).isEqualTo("200 ready");
      files = Path.of("/proc", "" + relay.pid(), "fd").toFile().list().length;
      assertThat(relay.terminate().exitStatus()).isZero();
    }
    List<RawSocket> others = new ArrayList<>();
    try (GambitProcess relay = GambitProcess.relayWithin("-n " + (files + 40), data);
        Client client = new Client(relay.url())) {
      for (int i = 0; i < 200; i++) {
        others.add(new RawSocket(relay.url())); // the kernel accepts them, the relay cannot
      }
      await().until(() -> relay.errorsSoFar().contains("Too many open files"));
      client.publishAccepted(ALICE.sign(now(), 1, Tags.NONE, "second"));
      for (RawSocket other : others) {
        other.close();
      }
      try (Client late = new Client(relay.url())) {
        late.publishAccepted(ALICE.sign(now(), 1, Tags.NONE, "third"));
      }
      await().until(() -> health(relay, "ready").equals("200 ready"));
      assertThat(relay.terminate().exitStatus()).isZero();
    }
  }

  @ThoroughOnly
  @Test
  void theProgramEndsWithAMessageWhenItRunsOutOfMemory() throws Exception {
    String values = "x".repeat(30_000);
    try (GambitProcess relay = GambitProcess.relayOfJar(GambitProcess.quick("-Xmx32m"), data)) {
      List<Client> clients = new ArrayList<>();
      for (int i = 0; i < 100 && relay.isRunning(); i++) {
        try {
          Client client = new Client(relay.url());
          clients.add(client);
          for (int j = 0; j < 100; j++) {
            client.send("[\"REQ\",\"" + j + "\",{\"limit\":0,\"#t\":[\"" + j + values + "\"]}]");
          }
        } catch (CompletionException e) {
          // The relay has ended, or is ending.
        }
      }
      assertThat(relay.exitStatus()).isEqualTo(1);
      assertThat(relay.errors())
          .containsPattern(
              "Gambit ends: (the thread \\S+ died: out of memory"
                  + "|a thread died, and there is no memory)");
      clients.forEach(Client::abort);
    }
  }

  private static long now() {
    return System.currentTimeMillis() / 1000;
  }

  private static String health(GambitProcess relay, String what) {
    return health(relay.metricsUrl(), what);
  }

  private static String health(URI operators, String what) {
    HttpResponse<String> answer =
        Client.httpRequest("GET", operators.resolve("/health/" + what), "text/plain");
    return answer.statusCode() + " " + answer.body().strip();
  }

  /** Some kernels for arm64 give a process 512 GB of addresses. */
  @ThoroughOnly
  @Test
  @EnabledOnOs(OS.LINUX)
  void aSmallAddressSpaceGivesTheIndexASmallerMap() throws Exception {
    try (GambitProcess relay = GambitProcess.relayWithin("-v " + (200L << 20), data);
        Client client = new Client(relay.url())) {
      Event note = ALICE.sign(1_700_000_000, 1, Tags.NONE, "in 200 GB");
      client.publishAccepted(note);
      assertThat(client.queryIds("{}")).containsExactly(note.id().toString());
    }
  }
}
