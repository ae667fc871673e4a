package gambit.app.server.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.LocalRelay;
import gambit.app.server.data.Backups.BackupSettings;
import gambit.core.testkit.TestTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a data directory, without a command. */
class BackupsTest {
  @TempDir Path data;

  private Backups backups(BackupSettings settings, long bytesLeftFree) {
    return new Backups(data, settings, bytesLeftFree, new TestTime());
  }

  private static Backups.Last result(Backups backups) {
    assertThat(backups.start()).isTrue();
    await().until(() -> !backups.isRunning());
    return backups.last().orElseThrow();
  }

  @Test
  void theLastBackupIsKnownAfterARestartAndAFailureIsASentence() throws Exception {
    new LocalRelay(data, 0).close();
    BackupSettings byDefault = new BackupSettings(Optional.empty(), Duration.ZERO);
    try (Backups backups = backups(byDefault, 0)) {
      assertThat(backups.last()).isEmpty();
      Backups.Last made = result(backups);
      assertThat(made.error()).isNull();
      assertThat(made.at()).isEqualTo(TestTime.START.getEpochSecond());
      assertThat(backups.directory()).isEqualTo(data.resolve("backups"));
      Backups.Last known = backups(byDefault, 0).last().orElseThrow();
      assertThat(known.at()).isEqualTo(made.at());
      assertThat(known.bytes()).isEqualTo(made.bytes());
      backups.change(byDefault, Long.MAX_VALUE / 2);
      assertThat(result(backups).error()).startsWith("there is no room for the backup: it needs ");
      Path other = Files.createDirectory(data.resolve("other"));
      Files.writeString(other.resolve("a"), "a file");
      backups.change(new BackupSettings(Optional.of(other), Duration.ZERO), 0);
      assertThat(result(backups).error()).contains("has other files than those of");
    }
  }

  @Test
  void aBackupIsMadeByItselfWhenTheTimeOfTheSettingsHasPassed() throws Exception {
    new LocalRelay(data, 0).close();
    TestTime time = new TestTime();
    BackupSettings daily = new BackupSettings(Optional.empty(), Duration.ofDays(1));
    try (Backups backups = new Backups(data, daily, 0, time)) {
      backups.start(time);
      assertThat(next(backups)).isEqualTo(TestTime.START);
      time.advance(Duration.ofHours(23));
      assertThat(next(backups)).isEqualTo(TestTime.START);
      time.advance(Duration.ofHours(1));
      assertThat(next(backups)).isEqualTo(TestTime.START.plus(Duration.ofDays(1)));
      backups.change(daily, Long.MAX_VALUE / 2); // there is no room
      time.advance(Duration.ofDays(1));
      assertThat(next(backups)).isEqualTo(TestTime.START.plus(Duration.ofDays(2)));
      assertThat(backups.last().orElseThrow().error()).isNotNull();
      backups.change(daily, 0);
      time.advance(Duration.ofHours(1));
      assertThat(next(backups)).isEqualTo(TestTime.START.plus(Duration.ofHours(49)));
      assertThat(backups.last().orElseThrow().error()).isNull();
    }
  }

  /** The time of the last backup, once none is being made. */
  private static Instant next(Backups backups) {
    await().until(() -> !backups.isRunning());
    return Instant.ofEpochSecond(backups.last().orElseThrow().at());
  }
}
