package gambit.app.common;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** The lines that a command prints. */
public final class CommandOutput {
  private CommandOutput() {}

  public static void print(CommandSpec command, String... lines) {
    print(command.commandLine().getOut(), lines);
  }

  public static void printError(CommandSpec command, String... lines) {
    print(command.commandLine().getErr(), lines);
  }

  public static int failed(CommandSpec command, int status, String reason) {
    printError(command, reason);
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
    if (console == null) {
      return null;
    }
    try {
      boolean isTerminal = (boolean) Console.class.getMethod("isTerminal").invoke(console);
      return isTerminal ? console : null;
    } catch (ReflectiveOperationException e) {
      return console; // before Java 22, only terminals have one
    }
  }
}
