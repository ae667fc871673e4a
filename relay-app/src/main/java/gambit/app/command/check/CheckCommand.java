package gambit.app.command.check;

import gambit.app.common.Amounts;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.DataOption;
import gambit.app.common.ErrorMessages;
import gambit.app.common.ProgressLine;
import gambit.core.crypto.EventVerifier;
import gambit.core.files.DirectoryLock;
import gambit.core.store.disk.StoreCheck;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
    PrintWriter out = spec().commandLine().getOut();
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
    Duration time = Duration.ofNanos(System.nanoTime() - start);
    if (outcome.faults() > printedFaults) {
      out.printf(Locale.ROOT, "and %d more%n", outcome.faults() - printedFaults);
    }
    out.printf(
        Locale.ROOT,
        "Read %s, %s, %s, %,d of them events, in %.1f s.%n",
        Amounts.of(outcome.segments(), "segment"),
        Amounts.of(outcome.groups(), "group"),
        Amounts.of(outcome.records(), "record"),
        outcome.events(),
        time.toMillis() / 1000.0);
    out.printf(
        "Checksums: checked. Ids and signatures: %s.%n",
        verifiesSignatures ? "checked" : "not checked, without --signatures");
    out.printf(
        Locale.ROOT,
        "Events and rows in force: %,d. Index: %s.%n",
        outcome.inForce(),
        outcome.index());
    out.println(
        outcome.faults() == 0
            ? "No damage found."
            : "Faults: "
                + outcome.faults()
                + ". Restore the data directory from a backup. If only the index is damaged, delete "
                + directory.resolve("store").resolve("index")
                + " of the stopped relay instead: it is rebuilt at the next start.");
    out.flush();
    return outcome.faults() == 0 ? 0 : 1;
  }

  private void printFault(String fault) {
    if (printedFaults < MAX_PRINTED_FAULTS) {
      printedFaults++;
      spec().commandLine().getOut().println(fault);
    }
  }
}
