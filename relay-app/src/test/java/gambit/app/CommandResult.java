package gambit.app;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * The result of a command that was run in this process.
 *
 * @param output its standard output, without white space at the end
 * @param errors its standard error, without white space at the end
 */
public record CommandResult(int status, String output, String errors) {

  /** Runs {@code gambit} with these arguments. */
  public static CommandResult of(String... arguments) {
    StringWriter output = new StringWriter();
    StringWriter errors = new StringWriter();
    CommandLine program = GambitCommand.commandLine(arguments);
    program.setOut(new PrintWriter(output, true)); // of its subcommands too
    program.setErr(new PrintWriter(errors, true));
    int status = GambitCommand.run(program, arguments);
    return new CommandResult(status, output.toString().strip(), errors.toString().strip());
  }
}
