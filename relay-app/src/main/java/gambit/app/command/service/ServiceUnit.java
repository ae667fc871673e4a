package gambit.app.command.service;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The unit of the service: that of the package for Debian, with other paths and another user.
 * Immutable.
 *
 * @param isUserMade whether {@code gambit service install} has created the user
 * @param script the launch script
 * @param java a Java that is not beside the script; null if the script finds its own
 * @param arguments of the relay
 * @param hasLowPort whether the relay listens on a port below 1024
 */
record ServiceUnit(
    String user,
    boolean isUserMade,
    Path data,
    Path script,
    @Nullable Path java,
    List<String> arguments,
    boolean hasLowPort) {
  private static final String RESOURCE = "gambit.service";

  /** In units that this program has made. Systemd ignores keys that begin with X-. */
  private static final String MADE_USER = "X-GambitMadeUser";

  String text() {
    String capability = hasLowPort ? "CAP_NET_BIND_SERVICE" : "";
    String command =
        script + arguments.stream().map(it -> " " + quoted(it)).collect(Collectors.joining());
    Map<String, String> changed =
        Map.of(
            "Documentation", MADE_USER + "=" + (isUserMade ? "yes" : "no") + "\n",
            "User", "User=" + user + "\n",
            "Group", "",
            "Environment", "",
            "ExecStart", javaLine(java) + "ExecStart=" + command + "\n",
            "StateDirectory", "ReadWritePaths=" + data + "\n",
            "StateDirectoryMode", "",
            "WorkingDirectory", "WorkingDirectory=" + data + "\n",
            "CapabilityBoundingSet", "CapabilityBoundingSet=" + capability + "\n",
            "AmbientCapabilities", "AmbientCapabilities=" + capability + "\n");
    // In a user namespace of its own, a process has no rights on ports of the machine.
    String users = "PrivateUsers=" + (hasLowPort ? "no" : "yes") + "\n";
    return "# Made by 'gambit service install'; 'gambit service uninstall' removes it.\n"
        + template()
            .lines()
            .map(
                line -> {
                  String key = line.replaceFirst("=.*", "");
                  return key.equals("PrivateUsers")
                      ? users
                      : changed.getOrDefault(key, line + "\n");
                })
            .collect(Collectors.joining());
  }

  /** A unit that this program has made, with another launch script and Java. */
  static String withProgram(String unit, Path script, @Nullable Path java) {
    return unit.lines()
        .filter(line -> !line.startsWith("Environment="))
        .map(
            line ->
                line.startsWith("ExecStart=")
                    ? javaLine(java) + line.replaceFirst("=[^ ]+", "=" + script) + "\n"
                    : line + "\n")
        .collect(Collectors.joining());
  }

  private static String javaLine(@Nullable Path java) {
    return java == null ? "" : "Environment=JAVA_HOME=" + java + "\n";
  }

  /** The value of a key of a unit file; empty if there is none. */
  static Optional<String> value(String unit, String key) {
    return unit.lines()
        .filter(line -> line.startsWith(key + "="))
        .map(line -> line.substring(key.length() + 1))
        .findFirst();
  }

  /** Whether this program has made a unit file and its user; empty for a unit of others. */
  static Optional<Boolean> hasMadeUser(String unit) {
    return value(unit, MADE_USER).map("yes"::equals);
  }

  /** An argument as systemd reads it: without its specifiers, variables and escapes. */
  private static String quoted(String argument) {
    String escaped =
        argument
            .replace("\\", "\\\\")
            .replace("\"", "\\\"")
            .replace("%", "%%")
            .replace("$", "$$")
            .replace("\n", "\\n");
    return escaped.matches("[\\w./:@=,+-]+") ? escaped : "\"" + escaped + "\"";
  }

  private static String template() {
    try (InputStream in =
        Objects.requireNonNull(ServiceUnit.class.getResourceAsStream(RESOURCE), RESOURCE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
