package gambit.app;

import gambit.app.common.ErrorMessages;
import gambit.app.common.SimilarWords;
import gambit.app.server.config.SettingsProblem;
import java.io.File;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.InitializationException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * What is printed for a wrong command line: a sentence that names the option and its value, and
 * where the options are listed. The exit status is 2.
 */
final class UsageErrors
    implements IParameterExceptionHandler, IExecutionExceptionHandler, IExecutionStrategy {
  private static final Logger LOG = LoggerFactory.getLogger(UsageErrors.class);

  /** The library's message for {@code --set x}. */
  private static final Pattern NO_KEY_AND_VALUE =
      Pattern.compile("Value for option option '(.*?)' \\(.*\\) should be in .* but was (.*)");

  private static final String UNREADABLE_FILE = ": this argument file cannot be read.";
  private static final Pattern UNREADABLE = Pattern.compile("Could not read argument file (.*)");

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(sentence(e)); // without colours: Java does not know whether this is a terminal
    err.println("'" + command.getCommandSpec().qualifiedName() + " --help' lists the options.");
    err.flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  private static String sentence(ParameterException e) {
    CommandLine command = e.getCommandLine();
    String message = String.valueOf(e.getMessage()).replaceFirst("^Error: ", "");
    Matcher set = NO_KEY_AND_VALUE.matcher(message);
    if (set.matches()) {
      return set.group(1) + " " + set.group(2) + ": expected KEY=VALUE.";
    } else if (message.equals("Missing required subcommand")) {
      return "%s: expected one of the commands %s."
          .formatted(
              command.getCommandSpec().qualifiedName(),
              String.join(", ", command.getSubcommands().keySet()));
    } else if (e instanceof UnmatchedArgumentException unmatched) {
      return unmatched(command, unmatched.getUnmatched().get(0));
    }
    return message.matches("(?s).*[.?]") ? message : message + ".";
  }

  private static String unmatched(CommandLine command, String argument) {
    if (argument.startsWith("@")) {
      String file = argument.substring(1);
      return argument
          + (new File(file).exists()
              ? UNREADABLE_FILE
              : ": there is no argument file " + file + ".");
    } else if (argument.startsWith("-")) {
      String name = argument.replaceFirst("=.*", "");
      return "Unknown option: "
          + name
          + similar(name, command.getCommandSpec().optionsMap().keySet());
    }
    if (argument.startsWith("nsec1")) {
      return command.getCommandSpec().qualifiedName()
          + ": a secret key is never an argument, because other users of the machine can read it.";
    }
    boolean isWhole = command.getParent() == null; // perhaps with fewer commands than there are
    Collection<String> known = isWhole ? GambitCommand.COMMANDS : command.getSubcommands().keySet();
    return known.isEmpty()
        ? command.getCommandSpec().qualifiedName() + ": unexpected argument: " + argument + "."
        : "Unknown command: " + argument + similar(argument, known);
  }

  private static String similar(String word, Collection<String> known) {
    return SimilarWords.find(word, known).map(each -> "; did you mean " + each + "?").orElse(".");
  }

  static int unreadableFile(CommandLine program, InitializationException e) {
    Throwable innermost = e;
    while (innermost.getCause() instanceof InitializationException cause) {
      innermost = cause;
    }
    Matcher file = UNREADABLE.matcher(String.valueOf(innermost.getMessage()));
    if (!file.matches()) {
      throw e;
    }
    program.getErr().println(file.group(1) + UNREADABLE_FILE);
    program.getErr().flush();
    return CommandLine.ExitCode.USAGE;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult arguments) {
    String name = command.getCommandSpec().qualifiedName();
    PrintWriter err = command.getErr();
    if (e instanceof SettingsProblem problem) {
      err.println(problem.sentence());
      err.flush();
      return 1;
    }
    err.println(name + " failed through a fault of the program: " + ErrorMessages.of(e) + ".");
    err.flush();
    LOG.debug("{} failed", name, e);
    return command.getCommandSpec().exitCodeOnExecutionException();
  }

  /**
   * Runs the command, unless an option stands before its name that belongs to the relay: it would
   * have no effect.
   */
  @Override
  public int execute(ParseResult parsed) {
    for (ParseResult each = parsed; each.hasSubcommand(); each = each.subcommand()) {
      if (!each.matchedOptions().isEmpty() && !each.isUsageHelpRequested()) {
        CommandLine command = each.subcommand().commandSpec().commandLine();
        throw new ParameterException(
            command,
            "%s has no effect before %s: options follow the name of their command."
                .formatted(each.matchedOptions().get(0).longestName(), command.getCommandName()));
      }
    }
    return new CommandLine.RunLast().execute(parsed);
  }
}
