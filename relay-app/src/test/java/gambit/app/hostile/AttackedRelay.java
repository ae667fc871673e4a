package gambit.app.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.GambitProcess;
import gambit.core.testkit.TestEffort;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** A relay in a separate process; after an attack, its resources in use must be as before. */
final class AttackedRelay implements AutoCloseable {
  private static final String HEAP = "256m";

  private static final int OPERATIONS_THREADS = 4;
  private static final Duration RECOVERY_TIMEOUT = Duration.ofMinutes(2);

  /** The heap, direct memory of the same size, and the memory of Java itself. */
  private static final long MAX_RESIDENT_MEGABYTES = 768;

  private final GambitProcess program;

  private AttackedRelay(GambitProcess program) {
    this.program = program;
  }

  /** Starts a relay with these settings, and with a heap that is committed at the start. */
  static AttackedRelay start(Path data, String... settings) throws Exception {
    List<String> arguments = new ArrayList<>();
    for (String setting : settings) {
      arguments.addAll(List.of("--set", setting));
    }
    String[] heap = {"-Xms" + HEAP, "-Xmx" + HEAP, "-XX:+AlwaysPreTouch"};
    List<String> java = TestEffort.isLong() ? List.of(heap) : GambitProcess.quick(heap);
    GambitProcess program = GambitProcess.relayWith(java, data, arguments.toArray(String[]::new));
    warmUp(program);
    return new AttackedRelay(program);
  }

  /** Starts the threads that the first requests create: Java's for jcmd, the operators' port's. */
  private static void warmUp(GambitProcess program) throws Exception {
    MemoryUse.of(program);
    for (int i = 0; i < OPERATIONS_THREADS; i++) {
      program.metrics();
    }
  }

  URI url() {
    return program.url();
  }

  double metric(String name) throws IOException {
    return program.metric(name);
  }

  /** The actions of hostile clients, with checks of the answers. */
  interface Attack {
    void run() throws Exception;
  }

  /**
   * Attacks the relay twice. A well-behaved client must be served meanwhile. After each attack, the
   * resources in use must be as before; after the second one, the memory must be as after the
   * first, which includes the warm-up.
   *
   * @param grownMetrics metrics that must grow during each attack
   */
  void survives(Attack attack, String... grownMetrics) throws Exception {
    long began = System.nanoTime();
    try (WellBehavedClient client = new WellBehavedClient(url())) {
      ResourceUse before = client.betweenRounds(() -> ResourceUse.of(program));
      round(attack, grownMetrics);
      client.awaitRound();
      await(client, () -> ResourceUse.of(program), before::covers, before);
      MemoryUse first = client.betweenRounds(() -> MemoryUse.of(program));
      round(attack, grownMetrics);
      client.awaitRound();
      await(client, () -> ResourceUse.of(program), before::covers, before);
      await(client, () -> MemoryUse.of(program), first::covers, first);
      System.out.printf(
          "%d ms, %d rounds of the well-behaved client, %s%n",
          (System.nanoTime() - began) / 1_000_000, client.rounds(), first);
    } catch (Exception | AssertionError e) {
      throw new AssertionError("the relay's log:\n" + program.errors(), e);
    }
  }

  private void round(Attack attack, String... grownMetrics) throws Exception {
    Map<String, Double> before = program.metrics();
    attack.run();
    for (String name : grownMetrics) {
      assertThat(program.metric(name)).as(name).isGreaterThan(before.getOrDefault(name, 0.0));
    }
  }

  /** Repeats a measurement between rounds until it is as wanted. */
  private static <T> void await(
      WellBehavedClient client, Callable<T> measurement, Predicate<T> wanted, T before) {
    Awaitility.await()
        .atMost(RECOVERY_TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(client.betweenRounds(measurement))
                    .matches(wanted, "not more than " + before));
  }

  /** Sends all frames over a new connection, and checks the answers. */
  void assertAnswers(FrameBatch burst, Map<String, Integer> answers) throws IOException {
    int count = answers.values().stream().mapToInt(Integer::intValue).sum();
    try (FloodingConnection flood = new FloodingConnection(url(), burst.bytes())) {
      assertThat(flood.answers(count)).isEqualTo(answers);
    }
  }

  /** Ends the relay, which must exit cleanly and have logged no error. */
  @Override
  public void close() throws IOException {
    try (program) {
      if (MemoryUse.isAvailable()) {
        long peak = program.status("VmHWM") >> 10;
        System.out.println("Peak of resident memory: " + peak + " MB");
        assertThat(peak).isLessThan(MAX_RESIDENT_MEGABYTES);
      }
      assertThat(program.terminate().exitStatus()).as(program.errors()).isZero();
      assertThat(program.errors()).doesNotContain(" ERROR ");
    }
  }
}
