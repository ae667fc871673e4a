package gambit.app.check;

import gambit.app.operator.OperatorWords;
import gambit.core.crypto.EventVerifier;
import gambit.core.store.disk.DirectoryLock;
import gambit.core.store.disk.StoreCheck;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code gambit check}: reads all that a relay has stored while the relay does not run, and says
 * what is not what was written. Exit status 0: all is well; 1: something is damaged; 2: it could
 * not be checked.
 */
@Command(
    name = "check",
    description = "Reads all of a stopped relay's store, and reports what is damaged.",
    mixinStandardHelpOptions = true,
    exitCodeOnExecutionException = 2,
    exitCodeListHeading = "Exit status:%n",
    exitCodeList = {
      "0:all is well",
      "1:something is damaged",
      "2:wrong usage, the relay runs, or there is no store that can be read"
    })
public final class CheckCommand implements Callable<Integer> {
  /** Faults that are printed; the rest is counted. */
  private static final int MAX_PRINTED = 1_000;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "./gambit-data",
      description = "The relay's data directory (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of("");

  @Spec private CommandSpec spec;

  private long printed;

  /** Made by picocli, which sets the fields. */
  public CheckCommand() {
    spec = CommandSpec.create();
  }

  @Override
  public Integer call() {
    Path directory = data.toAbsolutePath().normalize();
    if (!Files.isDirectory(directory)) {
      return failed("--data: there is no directory " + directory + ".");
    }
    try {
      DirectoryLock lock = new DirectoryLock(directory, "gambit.lock");
      try (lock) {
        return check(directory);
      }
    } catch (DirectoryLock.InUse e) {
      return failed("--data: " + e.getMessage() + "; end the relay first.");
    } catch (LinkageError e) {
      return failed("There is no native secp256k1 library for this machine.");
    } catch (IOException e) {
      return failed(
          "--data: the store in " + directory + " cannot be read: " + OperatorWords.of(e) + ".");
    }
  }

  private int check(Path directory) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    long start = System.nanoTime();
    StoreCheck.Outcome outcome =
        StoreCheck.run(directory.resolve("store"), new EventVerifier(), this::print);
    Duration time = Duration.ofNanos(System.nanoTime() - start);
    if (outcome.faults() > printed) {
      out.printf(Locale.ROOT, "and %d more%n", outcome.faults() - printed);
    }
    out.printf(
        Locale.ROOT,
        "Looked at %d segments, %d groups, %d records, %d of them events, in %.1f s.%n",
        outcome.segments(),
        outcome.groups(),
        outcome.records(),
        outcome.events(),
        time.toMillis() / 1000.0);
    out.printf("Events and rows in force: %d. Index: %s.%n", outcome.inForce(), outcome.index());
    out.println(
        outcome.faults() == 0
            ? "All is well."
            : "Faults: "
                + outcome.faults()
                + ". Restore the data directory from a backup. What is wrong with the index alone"
                + " is mended by deleting "
                + directory.resolve("store").resolve("index")
                + ": it is made again at the next start.");
    out.flush();
    return outcome.faults() == 0 ? 0 : 1;
  }

  private void print(String fault) {
    if (printed < MAX_PRINTED) {
      printed++;
      spec.commandLine().getOut().println(fault);
    }
  }

  private int failed(String words) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(words);
    err.flush();
    return 2;
  }
}
