package gambit.app.faults;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.GambitProcess;
import gambit.core.testkit.TestEffort;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A relay that is killed while clients publish has every event that it has acknowledged. */
class KilledRelayIT {
  private static final int KILLS = TestEffort.of(1, 100);
  private static final int ANSWERS = 2_000;

  @TempDir Path temp;

  @Test
  void acknowledgedEventsAreServedAndDeletedOnesAreNotAfterRepeatedKills() throws Exception {
    long seed = new Random().nextLong();
    System.out.println("The seed is " + seed);
    Random random = new Random(seed);
    List<RelentlessAuthor> authors =
        Stream.of("alice", "bob", "carol", "dave")
            .map(name -> new RelentlessAuthor(name, random.nextLong()))
            .toList();
    ExecutorService threads = Executors.newFixedThreadPool(authors.size());
    try {
      for (int i = 0; i < KILLS; i++) {
        CountDownLatch answers = new CountDownLatch(1 + random.nextInt(ANSWERS));
        try (GambitProcess relay = relay()) {
          authors.forEach(author -> author.check(relay.url()));
          List<Future<?>> publishing = new ArrayList<>();
          for (RelentlessAuthor author : authors) {
            publishing.add(threads.submit(() -> author.publish(relay.url(), answers::countDown)));
          }
          assertThat(answers.await(5, TimeUnit.MINUTES)).as("answers came").isTrue();
          relay.kill();
          for (Future<?> one : publishing) {
            one.get();
          }
          assertThat(relay.exitStatus()).as("killed").isNotZero();
          assertThat(relay.errors()).doesNotContain("ERROR", "Exception");
        }
      }
      try (GambitProcess relay = relay()) {
        authors.forEach(author -> author.check(relay.url()));
        assertThat(relay.terminate().exitStatus()).isZero();
      }
    } finally {
      threads.shutdown();
    }
  }

  private GambitProcess relay() throws Exception {
    return GambitProcess.relay(temp.resolve("data"));
  }
}
