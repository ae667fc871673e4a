package gambit.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.store.EventStore;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.store.disk.NumberedGroups;
import gambit.core.store.disk.StoreAnswers;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.store.disk.StoreWriterMain;
import gambit.core.store.disk.StoreWriterProcess;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestEffort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * After a process is killed at any moment, its store has every acknowledged group and no partial
 * one.
 */
class KilledProcessTest {
  private static final int PROCESSES = TestEffort.of(2, 2_000);

  /**
   * Bounds on the lines that a process prints, and on the spins after the last one, before it is
   * killed. The first process prints as many lines, so that erased events are certain.
   */
  private static final int MAX_LINES_BEFORE_KILL = 16;

  private static final int MAX_SPINS_BEFORE_KILL = 300_000;

  /** Lines of a process that opens the store and commits nothing. */
  private static final int LINES_BEFORE_COMMITS = 2;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);
  private final StoreDirectory directory = new StoreDirectory(null);
  private final EventStore model = new MemoryEventStore(Long.MAX_VALUE);
  private long acknowledged;
  private boolean wasRewritten;
  @TempDir Path temp;

  KilledProcessTest() throws IOException {}

  @Test
  void acknowledgedGroupsSurviveRepeatedKillsOfTheProcess() throws Exception {
    for (int life = 1; life <= PROCESSES; life++) {
      int lines = life == 1 ? MAX_LINES_BEFORE_KILL : 1 + random.nextInt(MAX_LINES_BEFORE_KILL);
      String when = "seed " + seed + ", life " + life;
      Path own = Files.createDirectory(temp.resolve("life " + life));
      try (StoreWriterProcess process = new StoreWriterProcess(directory, own)) {
        long least = acknowledged + Math.max(0, lines - LINES_BEFORE_COMMITS);
        long last = process.kill(lines, random.nextInt(MAX_SPINS_BEFORE_KILL));
        acknowledged = Math.max(acknowledged, last);
        assertThat(process.errors()).as(when).doesNotContain("Exception");
        assertThat(acknowledged).as(when).isGreaterThanOrEqualTo(least);
      }
      StoreDirectory.delete(own);
      disturb();
      if (random.nextInt(4) > 0) { // else it is killed again before the check
        check(when);
      }
    }
    check("seed " + seed + ", after the last life");
    assertThat(wasRewritten).as("segments were rewritten on the way").isTrue();
  }

  private void disturb() throws IOException {
    switch (random.nextInt(8)) {
      case 0 -> directory.deleteIndex();
      case 1 -> directory.simulateReboot();
      default -> {}
    }
  }

  private void check(String when) throws IOException {
    wasRewritten |= hasRewrittenSegment();
    try (DiskEventStore store = directory.open()) {
      long count = NumberedGroups.count(store);
      assertThat(count).as(when).isBetween(acknowledged, acknowledged + 1);
      acknowledged = count;
      for (long known = NumberedGroups.count(model); known < count; known++) {
        NumberedGroups.commit(model, known + 1);
      }
      if (!wasRewritten || random.nextInt(4) == 0) {
        StoreDirectory.reclaimAll(store, StoreWriterMain.FAR_FUTURE);
        wasRewritten |= hasRewrittenSegment();
      }
      StoreAnswers.assertSameAnswers(store, model, when);
    }
  }

  private boolean hasRewrittenSegment() throws IOException {
    return directory.segments().stream().anyMatch(it -> !("" + it).contains("-00000000"));
  }

  @AfterEach
  void deleteDirectory() throws IOException {
    directory.delete();
  }
}
