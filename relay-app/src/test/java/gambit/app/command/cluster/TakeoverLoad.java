package gambit.app.command.cluster;

import gambit.core.files.Directories;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * The time from {@code kill -9} of a cluster's leader until both other nodes have accepted an event
 * that was sent afterwards: three relays and three NATS servers on this machine.
 */
public final class TakeoverLoad {
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final int MOST_PAUSE_MILLIS = 1_000;

  private TakeoverLoad() {}

  /**
   * Kills leaders one after the other, and prints a table.
   *
   * @param parent of the directory of the relays
   */
  public static void print(Path parent, int kills) throws Exception {
    Random random = new Random(1);
    List<Long> millis = new ArrayList<>();
    Path directory = Files.createTempDirectory(Files.createDirectories(parent), "takeover");
    try (RealCluster cluster = RealCluster.start(directory)) {
      Faults faults = new Faults(cluster, random);
      for (int i = 0; i < kills; i++) {
        faults.awaitWhole();
        TimeUnit.MILLISECONDS.sleep(random.nextInt(MOST_PAUSE_MILLIS)); // not in step with a timer
        millis.add(kill(cluster));
      }
    } finally {
      Directories.delete(directory);
    }
    Collections.sort(millis);
    System.out.println("| kills of the leader | p50, ms | p99, ms | max, ms |");
    System.out.println("|--:|--:|--:|--:|");
    System.out.printf(
        "| %d | %d | %d | %d |%n%n",
        kills,
        millis.get((kills - 1) / 2),
        millis.get((kills - 1) * 99 / 100),
        millis.get(kills - 1));
  }

  private static long kill(RealCluster cluster) throws Exception {
    RelayNode leader =
        Awaitility.await().atMost(LONGEST).until(cluster::leader, Optional::isPresent).get();
    List<RelayNode> others = cluster.nodes().stream().filter(it -> it != leader).toList();
    long start = System.nanoTime();
    leader.kill();
    List<CompletableFuture<Duration>> verdicts =
        others.stream()
            .map(
                it ->
                    CompletableFuture.supplyAsync(
                        () -> Probe.awaitVerdicts(List.of(it), start, LONGEST)))
            .toList();
    long longest = 0;
    for (CompletableFuture<Duration> each : verdicts) {
      longest = Math.max(longest, each.get().toMillis());
    }
    leader.start();
    leader.awaitStart();
    return longest;
  }
}
