package gambit.app.common;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What the commands of the program have in common. Picocli creates them and sets their fields. */
@Command(mixinStandardHelpOptions = true, exitCodeListHeading = "%nExit status:%n")
public abstract class ConsoleCommand implements Callable<Integer> {
  /** The longest sentence of a failure, which may quote a stranger. */
  private static final int MAX_CHARS = 4_000;

  @Spec private CommandSpec spec = CommandSpec.create();

  /**
   * Does the work; returns the exit status. After a {@link CommandFailure}, and where the native
   * library for signatures is missing, it is that of an exception.
   */
  protected abstract int run() throws CommandFailure, InterruptedException;

  @Override
  public final Integer call() {
    try {
      return run();
    } catch (CommandFailure e) {
      return failed(spec.exitCodeOnExecutionException(), SafeText.of(e.sentence(), MAX_CHARS));
    } catch (LinkageError e) {
      return failed(spec.exitCodeOnExecutionException(), ErrorMessages.NO_SECP256K1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(1, "Interrupted.");
    }
  }

  protected final CommandSpec spec() {
    return spec;
  }

  protected final void print(String... lines) {
    print(spec.commandLine().getOut(), lines);
  }

  protected final void printError(String... lines) {
    print(spec.commandLine().getErr(), lines);
  }

  protected final int failed(int status, String sentence) {
    printError(sentence);
    return status;
  }

  private static void print(PrintWriter to, String... lines) {
    Arrays.stream(lines).forEach(to::println);
    to.flush();
  }

  /** The terminal of standard input and output; null if they are files, or of another program. */
  @SuppressWarnings("SystemConsoleNull") // since Java 22, not null for other input either
  public static @Nullable Console terminal() {
    Console console = System.console();
    try {
      boolean isTerminal =
          console != null && (boolean) Console.class.getMethod("isTerminal").invoke(console);
      return isTerminal ? console : null;
    } catch (ReflectiveOperationException e) {
      return console; // before Java 22, only terminals have one
    }
  }

  protected final ParameterException wrong(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }
}
