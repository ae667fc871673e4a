package gambit.app.server.settings;

import gambit.app.common.ConsoleCommand;
import gambit.app.server.config.ConfigSources;
import gambit.app.server.config.ConfigText;
import gambit.app.server.config.Configuration;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gambit config}: prints or checks the configuration, without starting the relay. */
@Command(
    name = "config",
    description = "Prints or checks the relay's configuration, without starting the relay.",
    mixinStandardHelpOptions = true,
    subcommands = {ConfigCommand.Show.class, ConfigCommand.Check.class},
    footer = {
      "  gambit config show > gambit.conf        a file with all settings, to be changed",
      "  gambit config show --effective          the values in effect, and what sets them",
      "  gambit config check /etc/gambit.conf"
    })
public final class ConfigCommand {
  @Command(
      name = "show",
      description = {
        "Prints all settings with their defaults and descriptions, or the values in effect.",
        "Both are HOCON and can be used as a configuration file; secrets are left out."
      },
      exitCodeList = {"0:printed", "1:the configuration is invalid"},
      footer = {
        "  gambit config show > gambit.conf",
        "  gambit config show --effective --config /etc/gambit.conf"
      })
  static final class Show extends ConsoleCommand {
    @Option(
        names = "--effective",
        description =
            "Prints the values after all layers: defaults, file, environment, --set, flags.")
    private boolean effective;

    @Mixin private ConfigOptions options = new ConfigOptions();

    @Override
    protected int run() {
      if (effective) {
        print(ConfigText.effective(valid(options.sources(System.getenv()))).stripTrailing());
      } else {
        requireNoOptions();
        print(ConfigText.sample().stripTrailing());
      }
      return 0;
    }

    private void requireNoOptions() {
      spec().commandLine().getParseResult().matchedOptions().stream()
          .findFirst()
          .ifPresent(
              option -> {
                throw wrong(option.longestName() + " has no effect without --effective.");
              });
    }
  }

  @Command(
      name = "check",
      description = {
        "Checks the configuration with which the relay would start: its files, the environment and"
            + " the options.",
        "Ports, keys and the data directory are checked by the start only."
      },
      exitCodeList = {"0:valid", "1:invalid, with the place of the fault"},
      footer = {
        "  gambit config check /etc/gambit.conf",
        "  gambit config check --data /var/lib/gambit"
      })
  static final class Check extends ConsoleCommand {
    @Parameters(
        arity = "0..1",
        paramLabel = "FILE",
        description = "The configuration file (default: as --config).")
    private @Nullable Path file;

    @Mixin private ConfigOptions options = new ConfigOptions();

    @Override
    protected int run() {
      ConfigSources sources = options.sources(System.getenv());
      print(summary(valid(file == null ? sources : sources.withFile("gambit config check", file))));
      return 0;
    }

    private static String summary(Configuration configuration) {
      String files =
          configuration.files().stream().map(Path::toString).collect(Collectors.joining(", "));
      return (files.isEmpty() ? "Valid, without a configuration file" : "Valid: " + files)
          + "; settings that differ from the defaults: "
          + configuration.changedKeys().size()
          + ".";
    }
  }

  private static Configuration valid(ConfigSources sources) {
    Configuration configuration = sources.load();
    Settings.read(configuration);
    return configuration;
  }
}
