package gambit.core.store.disk.log;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.store.disk.DiskEventStore;
import gambit.core.testkit.TestDirectories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Iterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** How much of the mapped log is in the memory of the process (proc(5), {@code smaps}). */
@EnabledOnOs(OS.LINUX)
class MappedLogTest {
  private static final int MAX_RESIDENT_KB = 1024;

  @Test
  void openingALogLeavesItsUnusedBytesOutOfTheMemoryOfTheProcess() throws IOException {
    Path directory = TestDirectories.create();
    for (String store : new String[] {"new", "closed before"}) {
      try (DiskEventStore opened = DiskEventStore.open(directory, InstantSource.system(), 0)) {
        assertThat(residentKilobytes(directory)).as(store).isBetween(0L, (long) MAX_RESIDENT_KB);
        assertThat(opened.size()).isZero();
      }
    }
  }

  private static long residentKilobytes(Path directory) throws IOException {
    long sum = 0;
    int files = 0;
    Iterator<String> lines = Files.readAllLines(Path.of("/proc/self/smaps")).iterator();
    while (lines.hasNext()) {
      if (lines.next().contains(directory + "/log/")) {
        files++;
        lines.next(); // Size
        lines.next(); // KernelPageSize
        lines.next(); // MMUPageSize
        sum += Long.parseLong(lines.next().replaceAll("[^0-9]", "")); // Rss
      }
    }
    assertThat(files).isEqualTo(1);
    return sum;
  }
}
