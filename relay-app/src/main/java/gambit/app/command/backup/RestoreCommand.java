package gambit.app.command.backup;

import gambit.app.common.Amounts;
import gambit.app.common.CommandOutput;
import gambit.app.common.DataOption;
import gambit.app.common.ErrorMessages;
import gambit.app.common.ProgressLine;
import gambit.core.store.disk.Directories;
import gambit.core.store.disk.DirectoryLock;
import gambit.core.store.disk.StoreRestore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code gambit restore}: makes a data directory from a backup, or verifies the backup. Exit status
 * 0: restored, or intact; 1: refused, and there is no store in the data directory.
 */
@Command(
    name = "restore",
    description = {
      "Copies a backup into an empty data directory and verifies every byte.",
      "The index is rebuilt when the relay starts. A restore that was killed can be repeated."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:restored; with --check, the backup is intact",
      "1:refused, with the reason in a sentence that names the damaged file",
      "2:wrong usage"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  gambit restore /var/backups/gambit --check",
      "  gambit restore /var/backups/gambit --data /var/lib/gambit"
    })
public final class RestoreCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "The directory of the backup.")
  private Path backup = Path.of("");

  @Mixin private DataOption data = new DataOption();

  @Option(names = "--check", description = "Only verifies the backup, and writes nothing.")
  private boolean isCheck;

  @Spec private CommandSpec spec;

  /** Called by picocli, which then sets the fields. */
  public RestoreCommand() {
    spec = CommandSpec.create();
  }

  @Override
  public Integer call() {
    long start = System.nanoTime();
    Path directory = backup.toAbsolutePath().normalize();
    StoreRestore.Outcome outcome;
    try (ProgressLine progress = new ProgressLine(spec, ProgressLine.Unit.BYTES)) {
      outcome =
          isCheck ? StoreRestore.verify(directory, progress::update) : restore(directory, progress);
    } catch (DirectoryLock.InUse e) {
      return CommandOutput.failed(
          spec, 1, ErrorMessages.of(e) + "; end it first, such as the relay.");
    } catch (IOException e) {
      return CommandOutput.failed(
          spec, 1, (isCheck ? "Not intact: " : "Not restored: ") + ErrorMessages.of(e) + ".");
    }
    String content =
        String.format(
            Locale.ROOT,
            "%s and %s, %s, in %.1f s",
            Amounts.of(outcome.segments(), "segment"),
            Amounts.of(outcome.files(), "file"),
            Amounts.ofBytes(outcome.bytes()),
            (System.nanoTime() - start) / 1e9);
    CommandOutput.print(
        spec,
        isCheck
            ? "Backup "
                + outcome.number()
                + " of "
                + outcome.time()
                + " is intact: "
                + content
                + "."
            : "Restored backup "
                + outcome.number()
                + " of "
                + outcome.time()
                + " into "
                + data.directory()
                + ": "
                + content
                + ". The index is rebuilt when the relay starts.");
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
