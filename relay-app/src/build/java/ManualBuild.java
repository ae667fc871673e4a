import static java.nio.charset.StandardCharsets.UTF_8;

import gambit.app.GambitCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * A step of the build: writes the manual page and the completion for bash from the commands and
 * options of the command line. It is run from its source, with the program in the class path.
 *
 * <p>Arguments: the version, the directory for {@code gambit.1.gz}
 * and {@code gambit.bash}.
 */
final class ManualBuild {
  private final StringBuilder page = new StringBuilder();

  public static void main(String[] args) throws Exception {
    CommandLine program = GambitCommand.commandLine();
    Path target = Files.createDirectories(Path.of(args[1]));
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(target.resolve("gambit.1.gz")))) {
      out.write(new ManualBuild().write(program.getCommandSpec(), args[0]).getBytes(UTF_8));
    }
    Files.writeString(target.resolve("gambit.bash"), completion(program));
  }

  /** Picocli's script, without the time of the build. */
  private static String completion(CommandLine program) {
    return AutoComplete.bash(program.getCommandName(), program)
        .replaceAll("(?m)^(# [Gg]enerated (by|on|at)|# Date:).*\\R", "");
  }

  private String write(CommandSpec program, String version) {
    page.append(".TH GAMBIT 1 \"\" \"Gambit ").append(version).append("\" \"User Commands\"\n");
    section("NAME");
    page.append("gambit \\- ").append(escaped(firstSentence(program))).append('\n');
    section("SYNOPSIS");
    synopsis(program);
    section("DESCRIPTION");
    paragraphs(program.usageMessage().description());
    page.append("Without a command, gambit runs the relay until a signal ends it.\n");
    section("OPTIONS OF THE RELAY");
    arguments(program);
    section("COMMANDS");
    for (CommandSpec command : subcommands(program)) {
      page.append(".SS ").append(escaped(command.qualifiedName(" "))).append('\n');
      synopsis(command);
      page.append(".PP\n");
      paragraphs(command.usageMessage().description());
      arguments(command);
      footer(command);
    }
    if (!program.usageMessage().exitCodeList().isEmpty()) {
      section("EXIT STATUS");
      exitCodes(program);
    }
    footer(program);
    return page.toString();
  }

  private void section(String name) {
    page.append(".SH ").append(name).append('\n');
  }

  /** All commands, each followed by its own subcommands. */
  private static List<CommandSpec> subcommands(CommandSpec command) {
    List<CommandSpec> all = new ArrayList<>();
    for (CommandLine subcommand : command.subcommands().values()) {
      CommandSpec spec = subcommand.getCommandSpec();
      if (!spec.usageMessage().hidden() && !all.contains(spec)) {
        all.add(spec);
        all.addAll(subcommands(spec));
      }
    }
    return all;
  }

  private static String firstSentence(CommandSpec command) {
    String[] description = command.usageMessage().description();
    return description.length == 0 ? "" : formatted(description[0]).replaceFirst("\\.$", "");
  }

  private void synopsis(CommandSpec command) {
    String text = new CommandLine.Help(command, CommandLine.Help.defaultColorScheme(Ansi.OFF))
        .synopsis(0);
    page.append(escaped(text.strip().replaceAll("\\s+", " "))).append('\n');
  }

  private void arguments(CommandSpec command) {
    for (PositionalParamSpec parameter : command.positionalParameters()) {
      if (!parameter.hidden()) {
        argument(parameter.paramLabel(), parameter);
      }
    }
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        argument(String.join(", ", option.names()) + value, option);
      }
    }
  }

  private void argument(String name, ArgSpec argument) {
    page.append(".TP\n.B ").append(escaped(name)).append('\n');
    paragraphs(argument.description());
  }

  private void exitCodes(CommandSpec command) {
    for (Map.Entry<String, String> code : command.usageMessage().exitCodeList().entrySet()) {
      page.append(".TP\n.B ").append(escaped(code.getKey().strip())).append('\n');
      paragraphs(code.getValue());
    }
  }

  /** The end of a command's help, such as its examples, line by line as it is printed. */
  private void footer(CommandSpec command) {
    UsageMessageSpec help = command.usageMessage();
    if (help.footer().length > 0) {
      page.append(".PP\n");
      String heading = formatted(String.join("", help.footerHeading())).strip();
      if (!heading.isEmpty()) {
        page.append(escaped(heading)).append('\n');
      }
      page.append(".nf\n");
      paragraphs(help.footer());
      page.append(".fi\n");
    }
  }

  private void paragraphs(String... lines) {
    for (String line : lines) {
      formatted(line)
          .lines()
          .forEach(each -> page.append(each.isBlank() ? ".sp" : escaped(each)).append('\n'));
    }
  }

  /** Picocli's texts are formats, with markup for colours. */
  private static String formatted(String text) {
    return Ansi.OFF.string(String.format(text));
  }

  /** A line of text in which troff finds no requests and no escapes. */
  private static String escaped(String line) {
    String text = line.replace("\\", "\\e").replace("-", "\\-");
    return text.startsWith(".") || text.startsWith("'") ? "\\&" + text : text;
  }
}
