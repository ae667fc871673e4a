package gambit.app.server.settings;

import gambit.app.common.CommandOutput;
import gambit.app.server.config.ConfigSources;
import gambit.app.server.config.ConfigText;
import gambit.app.server.config.Configuration;
import gambit.app.server.config.SettingsProblem;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code gambit config}: prints or checks the configuration, without starting the relay. */
@Command(
    name = "config",
    description = "Prints or checks the relay's configuration, without starting the relay.",
    mixinStandardHelpOptions = true,
    subcommands = {ConfigCommand.Show.class, ConfigCommand.Check.class},
    footerHeading = "%nExamples:%n",
    footer = {
      "  gambit config show > gambit.conf        a file with all settings, to be changed",
      "  gambit config show --effective          the values in effect, and what sets them",
      "  gambit config check /etc/gambit.conf"
    })
public final class ConfigCommand {

  /** Called by picocli. */
  public ConfigCommand() {}

  /** {@code gambit config show}. */
  @Command(
      name = "show",
      description = {
        "Prints all settings with their defaults and descriptions, or the values in effect.",
        "Both are HOCON and can be used as a configuration file; secrets are left out."
      },
      mixinStandardHelpOptions = true,
      exitCodeListHeading = "%nExit status:%n",
      exitCodeList = {"0:printed", "1:the configuration is invalid", "2:wrong usage"},
      footerHeading = "%nExamples:%n",
      footer = {
        "  gambit config show > gambit.conf",
        "  gambit config show --effective --config /etc/gambit.conf"
      })
  static final class Show implements Callable<Integer> {
    @Option(
        names = "--effective",
        description =
            "Prints the values after all layers: defaults, file, environment, --set, flags.")
    private boolean effective;

    @Mixin private ConfigOptions options = new ConfigOptions();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      if (!effective) {
        requireNoOptions();
        print(spec, ConfigText.sample());
        return 0;
      }
      return report(spec, () -> options.sources(System.getenv()), ConfigText::effective);
    }

    private void requireNoOptions() {
      spec.commandLine().getParseResult().matchedOptions().stream()
          .findFirst()
          .ifPresent(
              option -> {
                throw new ParameterException(
                    spec.commandLine(),
                    option.longestName() + " has no effect without --effective.");
              });
    }
  }

  /** {@code gambit config check}. */
  @Command(
      name = "check",
      description = {
        "Checks the configuration with which the relay would start: its files, the environment and"
            + " the options.",
        "Ports, keys and the data directory are checked by the start only."
      },
      mixinStandardHelpOptions = true,
      exitCodeListHeading = "%nExit status:%n",
      exitCodeList = {"0:valid", "1:invalid, with the place of the fault", "2:wrong usage"},
      footerHeading = "%nExamples:%n",
      footer = {
        "  gambit config check /etc/gambit.conf",
        "  gambit config check --data /var/lib/gambit"
      })
  static final class Check implements Callable<Integer> {
    @Parameters(
        arity = "0..1",
        paramLabel = "FILE",
        description = "The configuration file (default: as --config).")
    private @Nullable Path file;

    @Mixin private ConfigOptions options = new ConfigOptions();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      return report(spec, this::sources, Check::summary);
    }

    private ConfigSources sources() throws SettingsProblem {
      ConfigSources sources = options.sources(System.getenv());
      return file == null ? sources : sources.withFile("gambit config check", file);
    }

    private static String summary(Configuration configuration) {
      String files =
          configuration.files().stream().map(Path::toString).collect(Collectors.joining(", "));
      return (files.isEmpty() ? "Valid, without a configuration file" : "Valid: " + files)
          + "; settings that differ from the defaults: "
          + configuration.changedKeys().size()
          + ".\n";
    }
  }

  private interface Sources {
    ConfigSources get() throws SettingsProblem;
  }

  /** Prints a report on a configuration if it is valid, else the fault; returns the exit status. */
  private static int report(
      CommandSpec spec, Sources sources, Function<Configuration, String> report) {
    try {
      Configuration configuration = sources.get().load();
      Settings.read(configuration);
      print(spec, report.apply(configuration));
      return 0;
    } catch (SettingsProblem e) {
      return CommandOutput.failed(spec, 1, String.valueOf(e.getMessage()));
    }
  }

  private static void print(CommandSpec spec, String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
  }
}
