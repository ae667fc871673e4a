package gambit.app.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.Program;
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

/** A relay in a process of its own that is attacked, and has to be the same afterwards. */
final class UnderAttack implements AutoCloseable {
  private static final String HEAP = "256m";

  private static final int OPERATIONS_THREADS = 4;
  private static final Duration TO_RECOVER = Duration.ofMinutes(2);

  /** The heap, as much direct memory, and what Java itself takes. */
  private static final long STATED_MEGABYTES = 768;

  private final Program program;

  private UnderAttack(Program program) {
    this.program = program;
  }

  /** Starts a relay whose heap is all there from the beginning, with these settings. */
  static UnderAttack start(Path data, String... settings) throws Exception {
    List<String> arguments = new ArrayList<>();
    for (String setting : settings) {
      arguments.addAll(List.of("--set", setting));
    }
    String[] heap = {"-Xms" + HEAP, "-Xmx" + HEAP, "-XX:+AlwaysPreTouch"};
    List<String> java = TestEffort.isThorough() ? List.of(heap) : Program.quick(heap);
    Program program = Program.relayWith(java, data, arguments.toArray(String[]::new));
    warmUp(program);
    return new UnderAttack(program);
  }

  /** Whoever asks first makes threads: Java's own for jcmd, and those of the operators' port. */
  private static void warmUp(Program program) throws Exception {
    Memory.of(program);
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

  /** What hostile clients do; it checks what they are answered. */
  interface Attack {
    void run() throws Exception;
  }

  /**
   * Attacks it twice. Meanwhile a well-behaved client has to be served; after each round what is in
   * use has to be what it was before, and memory after the second what it was after the first: what
   * the first has warmed up is no growth.
   *
   * @param seenIn metrics that have to tell of each round, by growing
   */
  void survives(Attack attack, String... seenIn) throws Exception {
    long began = System.nanoTime();
    try (Bystander bystander = new Bystander(url())) {
      Footprint before = bystander.whileStill(() -> Footprint.of(program));
      round(attack, seenIn);
      bystander.awaitRound();
      await(bystander, () -> Footprint.of(program), before::covers, before);
      Memory first = bystander.whileStill(() -> Memory.of(program));
      round(attack, seenIn);
      bystander.awaitRound();
      await(bystander, () -> Footprint.of(program), before::covers, before);
      await(bystander, () -> Memory.of(program), first::covers, first);
      System.out.printf(
          "%d ms, %d rounds of the bystander, %s%n",
          (System.nanoTime() - began) / 1_000_000, bystander.rounds(), first);
    } catch (Exception | AssertionError e) {
      throw new AssertionError("the relay's log:\n" + program.errors(), e);
    }
  }

  private void round(Attack attack, String... seenIn) throws Exception {
    Map<String, Double> before = program.metrics();
    attack.run();
    for (String name : seenIn) {
      assertThat(program.metric(name)).as(name).isGreaterThan(before.getOrDefault(name, 0.0));
    }
  }

  /** Looks at the relay, while nobody asks anything of it, until it is as it has to be. */
  private static <T> void await(
      Bystander bystander, Callable<T> look, Predicate<T> wanted, T before) {
    Awaitility.await()
        .atMost(TO_RECOVER)
        .untilAsserted(
            () ->
                assertThat(bystander.whileStill(look)).matches(wanted, "not more than " + before));
  }

  /** Sends everything at once over a connection of its own, which has to be answered so. */
  void answers(Burst burst, Map<String, Integer> answers) throws IOException {
    int count = answers.values().stream().mapToInt(Integer::intValue).sum();
    try (Flood flood = new Flood(url(), burst.bytes())) {
      assertThat(flood.answers(count)).isEqualTo(answers);
    }
  }

  /** Ends the relay: it has to be alive, and to have met nothing that it calls an error. */
  @Override
  public void close() throws IOException {
    try (program) {
      if (Memory.isTold()) {
        long peak = program.status("VmHWM") >> 10;
        System.out.println("Peak of resident memory: " + peak + " MB");
        assertThat(peak).isLessThan(STATED_MEGABYTES);
      }
      assertThat(program.terminate().exitStatus()).as(program.errors()).isZero();
      assertThat(program.errors()).doesNotContain(" ERROR ");
    }
  }
}
