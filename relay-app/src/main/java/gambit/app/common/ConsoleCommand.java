package gambit.app.common;

import java.util.concurrent.Callable;
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
    CommandOutput.print(spec, lines);
  }

  protected final void printError(String... lines) {
    CommandOutput.printError(spec, lines);
  }

  protected final int failed(int status, String sentence) {
    return CommandOutput.failed(spec, status, sentence);
  }

  protected final ParameterException wrong(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }
}
