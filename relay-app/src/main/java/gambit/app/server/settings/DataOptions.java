package gambit.app.server.settings;

import gambit.app.server.config.ConfigSources;
import gambit.app.server.config.SettingsProblem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options of the command line that select the data directory and the configuration file. Shared
 * by the relay and the commands that work on its events.
 */
public final class DataOptions {
  private static final String DEFAULT_DATA = "./gambit-data";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Configuration file (default: $GAMBIT_CONFIG, or gambit.conf in the data directory if"
              + " there is one).")
  private @Nullable Path config;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Directory of the relay's key and events (default: $GAMBIT_DATA, or ./gambit-data).")
  private @Nullable Path data;

  public Path dataDirectory(Map<String, String> environment) {
    return data == null
        ? path(
            ConfigSources.DATA_VARIABLE,
            environment.getOrDefault(ConfigSources.DATA_VARIABLE, DEFAULT_DATA))
        : data;
  }

  public ConfigSources sources(Map<String, String> environment) {
    Path directory = dataDirectory(environment);
    ConfigSources sources =
        ConfigSources.defaults().withEnvironment(environment).withAdminFileOf(directory);
    String variable = environment.get(ConfigSources.FILE_VARIABLE);
    if (config != null) {
      return sources.withFile("--config", path("--config", config.toString()));
    } else if (variable != null) {
      return sources.withFile(
          ConfigSources.FILE_VARIABLE, path(ConfigSources.FILE_VARIABLE, variable));
    }
    return sources.withFileOf(directory);
  }

  private static Path path(String place, String name) {
    if (name.isBlank()) {
      throw new SettingsProblem(place + ": the name is empty.");
    }
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw new SettingsProblem(place + ": this is not the name of a file.");
    }
  }
}
