package gambit.app.command.data;

import gambit.app.common.Amounts;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.DataOption;
import gambit.app.common.ErrorMessages;
import gambit.app.common.ProgressLine;
import gambit.app.server.data.Backups;
import gambit.core.store.disk.StoreBackup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gambit backup}: copies the data directory of a relay, incrementally. */
@Command(
    name = "backup",
    description = {
      "Copies the events and keys of a running or a stopped relay into a directory.",
      "A directory that has a backup gets what is new since. A backup that fails or is killed"
          + " leaves the former one unchanged."
    },
    exitCodeList = {
      "0:the backup is complete and on the disk",
      "1:not made, with the reason in a sentence; the former backup is unchanged"
    },
    footer = "  gambit backup /var/backups/gambit --data /var/lib/gambit")
public final class BackupCommand extends ConsoleCommand {
  @Parameters(
      paramLabel = "DIR",
      description =
          "The directory of the backup, created if it does not exist. It contains secret keys and"
              + " private messages; only its owner may read the files.")
  private Path target = Path.of("");

  @Mixin private DataOption data = new DataOption();

  @Option(
      names = "--verify",
      description =
          "Reads the files that are kept from the former backup, too, and copies damaged ones"
              + " again.")
  private boolean verifiesKept;

  private void printOmitted(String name) {
    printError(name + " is not copied: it is too large, has an odd name, or is no file.");
  }

  @Override
  protected int run() {
    long start = System.nanoTime();
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Path directory = target.toAbsolutePath().normalize();
    StoreBackup.Outcome outcome;
    try (ProgressLine progress = new ProgressLine(spec(), ProgressLine.Unit.BYTES)) {
      Map<String, byte[]> files = Backups.files(data.directory(), this::printOmitted);
      Path store = data.directory().resolve("store");
      outcome =
          StoreBackup.run(
              new StoreBackup.Request(store, files, verifiesKept, now, 0),
              directory,
              progress::update);
    } catch (IOException e) {
      return failed(1, "The backup was not made: " + ErrorMessages.of(e) + ".");
    }
    print(
        String.format(
            Locale.ROOT,
            "Backup %d of %s in %s: %s, %d of them kept; %s copied of %s, in %.1f s.",
            outcome.number(),
            data.directory(),
            directory,
            Amounts.of(outcome.segments(), "segment"),
            outcome.keptSegments(),
            Amounts.ofBytes(outcome.copiedBytes()),
            Amounts.ofBytes(outcome.totalBytes()),
            (System.nanoTime() - start) / 1e9),
        "It has every event that was acknowledged before " + now + ".");
    return 0;
  }
}
