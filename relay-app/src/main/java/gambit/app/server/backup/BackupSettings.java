package gambit.app.server.backup;

import gambit.app.server.config.SettingsReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The section {@code backup}. Immutable.
 *
 * @param directory of the backups that the relay makes; empty for one in the data directory
 * @param every the time between backups that the relay makes by itself; 0 for none
 */
public record BackupSettings(Optional<Path> directory, Duration every) {
  private static final Duration SHORTEST = Duration.ofMinutes(10);

  public static BackupSettings read(SettingsReader backup) {
    Duration every = backup.duration("every");
    if (!every.isZero() && every.compareTo(SHORTEST) < 0) {
      throw backup.problem("every", "expected 0, or a time of at least 10m");
    }
    return new BackupSettings(backup.file("directory"), every);
  }
}
