package gambit.app.command.data;

import gambit.app.common.Amounts;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.DataOption;
import gambit.app.common.ErrorMessages;
import gambit.app.common.ProgressLine;
import gambit.core.crypto.EventVerifier;
import gambit.core.files.DirectoryLock;
import gambit.core.store.disk.StoreCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code gambit check}: reads the whole store of a relay and reports damage. */
@Command(
    name = "check",
    description = {
      "Reads the whole store of a running or a stopped relay and reports damage.",
      "While the relay runs, only the event log is checked, not the index, which can be rebuilt."
    },
    exitCodeOnExecutionException = 2,
    exitCodeList = {
      "0:no damage",
      "1:damage found",
      "2:wrong usage, or there is no readable store"
    },
    footer = {
      "  gambit check --data /var/lib/gambit",
      "  gambit check --data /var/lib/gambit --signatures"
    })
public final class CheckCommand extends ConsoleCommand {
  private static final int MAX_PRINTED_FAULTS = 1_000;

  @Mixin private DataOption data = new DataOption();

  @Option(
      names = "--signatures",
      description = "Verifies the id and signature of every event, too, on all cores.")
  private boolean verifiesSignatures;

  private long printedFaults;

  @Override
  protected int run() {
    Path directory = data.directory();
    if (!Files.isDirectory(directory)) {
      return failed(2, "--data: there is no directory " + directory + ".");
    }
    try {
      return lockAndCheck(directory);
    } catch (IOException e) {
      return failed(
          2, "--data: the store in " + directory + " cannot be read: " + ErrorMessages.of(e) + ".");
    }
  }

  /** Checks a store, which no relay can open meanwhile unless one has it open already. */
  private int lockAndCheck(Path directory) throws IOException {
    DirectoryLock lock;
    try {
      lock = new DirectoryLock(directory, "gambit.lock");
    } catch (DirectoryLock.InUse e) {
      return check(directory);
    }
    try (lock) {
      return check(directory);
    }
  }

  private int check(Path directory) throws IOException {
    long start = System.nanoTime();
    StoreCheck.Outcome outcome;
    try (ProgressLine progress = new ProgressLine(spec(), ProgressLine.Unit.BYTES)) {
      outcome =
          StoreCheck.run(
              directory.resolve("store"),
              new EventVerifier(),
              verifiesSignatures,
              this::printFault,
              progress::update);
    }
    if (outcome.faults() > printedFaults) {
      print("and " + (outcome.faults() - printedFaults) + " more");
    }
    print(
        String.format(
            Locale.ROOT,
            "Read %s, %s, %s, %,d of them events, in %.1f s.",
            Amounts.of(outcome.segments(), "segment"),
            Amounts.of(outcome.groups(), "group"),
            Amounts.of(outcome.records(), "record"),
            outcome.events(),
            (System.nanoTime() - start) / 1e9),
        "Checksums: checked. Ids and signatures: "
            + (verifiesSignatures ? "checked." : "not checked, without --signatures."),
        String.format(
            Locale.ROOT,
            "Events and rows in force: %,d. Index: %s.",
            outcome.inForce(),
            outcome.index()),
        outcome.faults() == 0
            ? "No damage found."
            : "Faults: "
                + outcome.faults()
                + ". Restore the data directory from a backup. If only the index is damaged, delete "
                + directory.resolve("store").resolve("index")
                + " of the stopped relay instead: it is rebuilt at the next start.");
    return outcome.faults() == 0 ? 0 : 1;
  }

  private void printFault(String fault) {
    if (printedFaults < MAX_PRINTED_FAULTS) {
      printedFaults++;
      print(fault);
    }
  }
}
