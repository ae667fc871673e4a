package gambit.app.command.data;

import gambit.app.common.Amounts;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.DataOption;
import gambit.app.common.ErrorMessages;
import gambit.app.common.ProgressLine;
import gambit.core.files.Directories;
import gambit.core.files.DirectoryLock;
import gambit.core.store.disk.StoreRestore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gambit restore}: makes a data directory from a backup, or verifies the backup. */
@Command(
    name = "restore",
    description = {
      "Copies a backup into an empty data directory and verifies every byte.",
      "The index is rebuilt when the relay starts. A restore that was killed can be repeated."
    },
    exitCodeList = {
      "0:restored; with --check, the backup is intact",
      "1:refused, with the reason in a sentence that names the damaged file"
    },
    footer = {
      "  gambit restore /var/backups/gambit --check",
      "  gambit restore /var/backups/gambit --data /var/lib/gambit"
    })
public final class RestoreCommand extends ConsoleCommand {
  @Parameters(paramLabel = "DIR", description = "The directory of the backup.")
  private Path backup = Path.of("");

  @Mixin private DataOption data = new DataOption();

  @Option(names = "--check", description = "Only verifies the backup, and writes nothing.")
  private boolean isCheck;

  @Override
  protected int run() {
    long start = System.nanoTime();
    Path directory = backup.toAbsolutePath().normalize();
    StoreRestore.Outcome outcome;
    try (ProgressLine progress = new ProgressLine(spec(), ProgressLine.Unit.BYTES)) {
      outcome =
          isCheck ? StoreRestore.verify(directory, progress::update) : restore(directory, progress);
    } catch (DirectoryLock.InUse e) {
      return failed(1, ErrorMessages.of(e) + "; end it first, such as the relay.");
    } catch (IOException e) {
      return failed(1, (isCheck ? "Not intact: " : "Not restored: ") + ErrorMessages.of(e) + ".");
    }
    String content =
        String.format(
            Locale.ROOT,
            "%s and %s, %s, in %.1f s",
            Amounts.of(outcome.segments(), "segment"),
            Amounts.of(outcome.files(), "file"),
            Amounts.ofBytes(outcome.bytes()),
            (System.nanoTime() - start) / 1e9);
    print(
        (isCheck
                ? "Backup %1$s of %2$s is intact: %4$s."
                : "Restored backup %1$s of %2$s into %3$s: %4$s. The index is rebuilt when the relay"
                    + " starts.")
            .formatted(outcome.number(), outcome.time(), data.directory(), content));
    return 0;
  }

  private StoreRestore.Outcome restore(Path directory, ProgressLine progress) throws IOException {
    Directories.createPrivate(data.directory());
    DirectoryLock lock = new DirectoryLock(data.directory(), "gambit.lock");
    try (lock) {
      return StoreRestore.run(directory, data.directory(), progress::update);
    }
  }
}
