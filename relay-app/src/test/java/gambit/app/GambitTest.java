package gambit.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.app.common.CommandFailure;
import gambit.core.store.Transaction;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.testkit.ClassLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the program makes of its data directory. It does not start with unreadable rows. */
class GambitTest {

  @Test
  void newFilesAreTheirOwnersOnlyAndOthersAreNamedInAWarning(@TempDir Path temp) throws Exception {
    Path data = temp.resolve("new/data");
    try (ClassLog log = new ClassLog(StartSteps.class)) {
      start(data);
      assertThat(log.messages()).isEmpty();
      try (Stream<Path> made = Files.walk(temp.resolve("new"))) {
        for (Path each : made.filter(it -> !it.startsWith(data.resolve("search/"))).toList()) {
          assertThat(Files.getPosixFilePermissions(each))
              .as(each + "")
              .isSubsetOf(PosixFilePermissions.fromString("rwx------"));
        }
      }
      Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-x---"));
      Path lock = data.resolve("gambit.lock");
      Files.setPosixFilePermissions(lock, PosixFilePermissions.fromString("rw-r--r--"));
      start(data);
      assertThat(log.messages()).hasSize(1).first().asString().endsWith(data + ", " + lock);
    }
  }

  private static void start(Path data) {
    new LocalRelay(data, 0, "nips.50=true").close();
  }

  @Test
  void aGameThatCannotBeReadIsNamed(@TempDir Path data) throws Exception {
    Path directory = Files.createDirectories(data.resolve("store"));
    try (DiskEventStore store = DiskEventStore.open(directory, InstantSource.system(), 0);
        Transaction transaction = store.begin()) {
      transaction.putRow("chess.games", new byte[32], new byte[] {9});
      transaction.commit();
    }
    Gambit.Options options = options(data);
    for (int start = 0; start < 2; start++) { // the first has left nothing open
      assertThatThrownBy(() -> new Gambit(options, death -> {}))
          .isInstanceOf(CommandFailure.class)
          .hasMessageStartingWith(
              "--data: The journal of game " + "0".repeat(64) + " is unreadable")
          .hasMessageContaining("unknown format 9");
    }
  }

  @Test
  void anUnreadableRequestToVanishIsNamedAndNothingIsLeftOpen(@TempDir Path data) throws Exception {
    Path directory = Files.createDirectories(data.resolve("store"));
    try (DiskEventStore store = DiskEventStore.open(directory, InstantSource.system(), 0);
        Transaction transaction = store.begin()) {
      transaction.putRow("vanished", new byte[32], new byte[] {9});
      transaction.commit();
    }
    Gambit.Options options = options(data);
    for (int start = 0; start < 2; start++) {
      assertThatThrownBy(() -> new Gambit(options, death -> {}))
          .isInstanceOf(CommandFailure.class)
          .hasMessage(
              "--data: The row of vanished "
                  + "0".repeat(64)
                  + " is unreadable (format 9, 1 bytes)."
                  + " If a newer version of Gambit has used this directory, start that version;"
                  + " otherwise restore the directory from a backup.");
    }
  }

  @Test
  void aGameWhoseRecordIsDamagedIsSaidWithItsPlace(@TempDir Path data) throws Exception {
    Path directory = Files.createDirectories(data.resolve("store"));
    for (String table : List.of("chess.games", "another")) { // the last group is checked anyway
      try (DiskEventStore store = DiskEventStore.open(directory, InstantSource.system(), 0);
          Transaction transaction = store.begin()) {
        transaction.putRow(table, new byte[32], new byte[] {9});
        transaction.commit();
      }
    }
    Path segment = directory.resolve("log/0000000000000000-00000000.log");
    byte[] bytes = Files.readAllBytes(segment);
    bytes[64 + 32 + 10]++; // in the first record
    Files.write(segment, bytes);
    assertThatThrownBy(() -> new Gambit(options(data), death -> {}))
        .isInstanceOf(CommandFailure.class)
        .hasMessage(
            "--data: the event log is damaged: segment 0000000000000000-00000000.log, byte 96: the"
                + " record of a row is damaged; restore the data directory from a"
                + " backup.");
  }

  private static Gambit.Options options(Path data) {
    return TestSettings.options(data, false, TestSettings.ofRelay());
  }
}
