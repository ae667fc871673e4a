package gambit.core.store.disk;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.store.StoreProgress;
import gambit.core.store.disk.Workload.Content;
import gambit.core.testkit.TestDirectories;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Real processes that are killed in the middle of a backup and of a restore. */
class KilledBackupTest {
  private static final int REPORTS = 6;

  private final Path temp = TestDirectories.create();
  private final StoreDirectory source = new StoreDirectory(temp.resolve("source"), 0, null);
  private final Path backup = temp.resolve("backup");

  KilledBackupTest() throws IOException {
    Files.createDirectories(source.path());
  }

  @AfterEach
  void delete() throws IOException {
    StoreDirectory.delete(temp);
  }

  private void commit(long from, long to) throws IOException {
    try (DiskEventStore store = source.open()) {
      NumberedGroups.commit(store, from, to);
    }
  }

  private Content content(Path store) throws IOException {
    try (DiskEventStore opened = new StoreDirectory(store, 0, null).open()) {
      return Content.of(opened);
    }
  }

  private Content restoredContent(String name) throws IOException {
    Path data = Files.createDirectory(temp.resolve(name));
    StoreRestore.run(backup, data, StoreProgress.NONE);
    return content(data.resolve("store"));
  }

  /** Runs the program, and kills it in the middle. */
  private void kill(String work, Path from, Path to) throws IOException, InterruptedException {
    Path errors = temp.resolve("errors");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                BackupMain.class.getName(),
                work,
                "" + from,
                "" + to,
                "" + REPORTS)
            .redirectError(errors.toFile())
            .start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(out.readLine()).as(Files.readString(errors)).isEqualTo("in the middle");
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void killedBackupLeavesTheFormerOneAndAKilledRestoreCanBeRepeated() throws Exception {
    commit(1, 20);
    byte[] key = "secret".getBytes(StandardCharsets.US_ASCII);
    StoreBackup.Request request =
        new StoreBackup.Request(source.path(), Map.of("relay.key", key), false, Instant.EPOCH, 0);
    StoreBackup.run(request, backup, StoreProgress.NONE);
    Content former = content(source.path());
    commit(21, 60);

    kill("backup", source.path(), backup);
    assertThat(restoredContent("former")).isEqualTo(former);
    StoreBackup.run(request, backup, StoreProgress.NONE);
    Content expected = content(source.path());
    assertThat(restoredContent("new")).isEqualTo(expected);

    Path data = Files.createDirectory(temp.resolve("data"));
    kill("restore", backup, data);
    assertThat(data.resolve(StoreRestore.UNFINISHED_STORE)).isDirectory();
    assertThat(data.resolve("store")).doesNotExist();
    StoreRestore.run(backup, data, StoreProgress.NONE);
    assertThat(content(data.resolve("store"))).isEqualTo(expected);
  }
}
