package gambit.app.server.plugin;

import gambit.app.server.config.SettingsReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of the write policy plugin. Immutable.
 *
 * @param command a shell command, or the path of a program if it has no space; empty for no plugin
 */
public record PluginSettings(
    String command, Duration timeout, OnFailure onFailure, int queue, boolean chess) {

  private static final Duration MIN_TIMEOUT = Duration.ofMillis(10);
  private static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);

  /** As many events as can be under way in the whole relay. */
  private static final int MAX_QUEUE = 16_000;

  public enum OnFailure {
    CLOSED,
    OPEN
  }

  public static PluginSettings read(SettingsReader plugin) {
    return new PluginSettings(
        command(plugin),
        plugin.duration("timeout", MIN_TIMEOUT, MAX_TIMEOUT),
        plugin.choice("on_failure", OnFailure.class),
        plugin.count("queue", 1, MAX_QUEUE),
        plugin.bool("chess"));
  }

  private static String command(SettingsReader plugin) {
    String command = plugin.text("command").strip();
    if (command.indexOf(' ') >= 0) {
      return command;
    }
    Optional<Path> file = plugin.file("command");
    if (file.isPresent() && !(Files.isRegularFile(file.get()) && Files.isExecutable(file.get()))) {
      throw plugin.problem(
          "command", "expected an executable file, or a shell command with a space");
    }
    return file.map(Path::toString).orElse("");
  }

  public boolean isOn() {
    return !command.isEmpty();
  }

  /** Whether the command is the path of a program, whose changes restart the plugin. */
  boolean isPath() {
    return command.startsWith("/") && Files.isRegularFile(Path.of(command));
  }
}
