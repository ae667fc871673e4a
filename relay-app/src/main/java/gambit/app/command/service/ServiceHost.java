package gambit.app.command.service;

import gambit.app.common.CommandFailure;
import gambit.app.common.ErrorMessages;
import gambit.app.server.reload.ControlFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The machine on which the service is, by the programs that change it. One thread. */
final class ServiceHost {
  static final String NAME = "gambit";
  private static final int TIMEOUT_SECONDS = 300;
  private static final Path UNIT = Path.of("/etc/systemd/system/gambit.service");
  private static final List<Path> UNITS_OF_PACKAGE =
      List.of(
          Path.of("/usr/lib/systemd/system/gambit.service"),
          Path.of("/lib/systemd/system/gambit.service"));

  /** Directories that the sandbox hides from the service, or empties. */
  private static final List<Path> HIDDEN =
      Stream.of("/home", "/root", "/run/user", "/tmp", "/var/tmp").map(Path::of).toList();

  /** Refuses a machine that cannot have the service, and a service of others. */
  void requireUsable() throws CommandFailure {
    if (!Files.isDirectory(Path.of("/run/systemd/system"))) {
      throw new CommandFailure(
          "This system does not run systemd; start 'gambit' by its own service manager.");
    } else if (!isRoot()) {
      throw new CommandFailure("This command changes the system; run it as root, by sudo.");
    } else if (UNITS_OF_PACKAGE.stream().anyMatch(Files::exists)) {
      throw new CommandFailure(
          "The package gambit has its own service; its settings are in /etc/gambit/gambit.conf."
              + " Remove the package first (apt remove gambit) to use this directory instead.");
    } else if (unit().isPresent() && ServiceUnit.hasMadeUser(unit().get()).isEmpty()) {
      throw new CommandFailure(
          UNIT + " was not made by 'gambit service install'; move it away first.");
    }
  }

  private static boolean isRoot() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Refuses a path that the service would not see, or that a unit file could not name. */
  static void requireVisible(String what, Path path) throws CommandFailure {
    if (HIDDEN.stream().anyMatch(path::startsWith)) {
      throw new CommandFailure(
          what
              + " is "
              + path
              + ", but the service sees no home directories and no files of others in /tmp; use a"
              + " directory below /opt or /var/lib.");
    } else if (!path.toString().matches("[\\w./+@-]+")) {
      throw new CommandFailure(
          what + " is " + path + "; use a name of letters, digits and the signs ._-+@ only.");
    }
  }

  Optional<String> unit() throws CommandFailure {
    try {
      return Files.exists(UNIT) ? Optional.of(Files.readString(UNIT)) : Optional.empty();
    } catch (IOException e) {
      throw new CommandFailure("Cannot read " + UNIT + ": " + ErrorMessages.of(e) + ".");
    }
  }

  void changeUnit(Optional<String> text) throws CommandFailure {
    try {
      if (text.isPresent()) {
        Files.writeString(UNIT, text.get());
      } else {
        Files.deleteIfExists(UNIT);
      }
    } catch (IOException e) {
      String verb = text.isPresent() ? "write" : "delete";
      throw new CommandFailure("Cannot " + verb + " " + UNIT + ": " + ErrorMessages.of(e) + ".");
    }
    run("systemctl", "daemon-reload");
  }

  boolean hasUser(String name) throws CommandFailure {
    return outcome("id", "-u", name).status() == 0;
  }

  void removeMadeUser(String unit) throws CommandFailure {
    String user = ServiceUnit.value(unit, "User").orElse("");
    if (ServiceUnit.hasMadeUser(unit).orElse(false) && hasUser(user)) {
      run("userdel", user);
    }
  }

  /** The unit that {@code gambit service install} has made. */
  String requireUnit() throws CommandFailure {
    return unit()
        .orElseThrow(() -> new CommandFailure("There is no service that was installed so."));
  }

  static Path script() throws CommandFailure {
    try {
      Path jar = Path.of(System.getProperty("java.class.path")).toRealPath();
      Path script = jar.resolveSibling("gambit");
      requireVisible("The directory of this program", script);
      if (Files.isExecutable(script)) {
        return script;
      }
    } catch (IOException | RuntimeException e) {
      // Not from a jar.
    }
    throw new CommandFailure("There is no launch script beside the program's jar.");
  }

  static @Nullable Path javaOutside(Path script) throws CommandFailure {
    Path java = Path.of(System.getProperty("java.home"));
    if (java.startsWith(script.resolveSibling("java"))) {
      return null;
    }
    requireVisible("The directory of Java", java);
    return java;
  }

  /** Others than root can run the program: the service's user, or any if it is yet to be made. */
  void requireRunnable(String user, Path script, @Nullable Path java) throws CommandFailure {
    String runner = hasUser(user) ? user : "nobody";
    String home = "JAVA_HOME=" + (java == null ? "" : java);
    Outcome outcome =
        outcome("runuser", "-u", runner, "--", "env", home, script.toString(), "--version");
    if (outcome.status() != 0) {
      throw new CommandFailure(
          "The user %s cannot run %s: %s. Put its directory where all may read it, such as /opt/gambit."
              .formatted(runner, script, outcome.output()));
    }
  }

  void stop() throws CommandFailure {
    run("systemctl", "stop", NAME);
    outcome("systemctl", "reset-failed", NAME);
  }

  /** Waits until the service is ready; fails if it has ended instead, or after five minutes. */
  void awaitReady(Path data) throws CommandFailure, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (!isReady(data)) {
      boolean hasFailed =
          property("ActiveState").equals("failed") || !property("NRestarts").equals("0");
      if (hasFailed || System.nanoTime() > deadline) {
        throw new CommandFailure("The service is not ready: " + lastWords());
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private static boolean isReady(Path data) {
    try {
      Optional<ControlFile> control = ControlFile.read(data);
      return control.isPresent() && control.get().post(ControlFile.PORT_PATH, "").isSuccess();
    } catch (CommandFailure e) {
      return false; // it is starting
    }
  }

  String property(String name) throws CommandFailure {
    return run("systemctl", "show", "--value", "-p", name, NAME);
  }

  /** The last line that the service has printed or logged. */
  String lastWords() throws CommandFailure {
    outcome("journalctl", "--sync");
    String line =
        outcome("journalctl", "-q", "-o", "cat", "-n", "1", "_SYSTEMD_UNIT=gambit.service")
            .output();
    return line.isEmpty() ? "the reason is in 'journalctl -u gambit'" : line;
  }

  record Outcome(int status, String output) {}

  /** Runs a program, which must succeed; returns what it has printed. */
  String run(String... command) throws CommandFailure {
    Outcome outcome = outcome(command);
    if (outcome.status() != 0) {
      throw new CommandFailure(
          "'%s' has failed: %s".formatted(String.join(" ", command), outcome.output()));
    }
    return outcome.output();
  }

  Outcome outcome(String... command) throws CommandFailure {
    try {
      Process process =
          new ProcessBuilder(command).redirectErrorStream(true).redirectInput(nothing()).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Outcome(process.waitFor(), output.strip());
    } catch (IOException e) {
      throw new CommandFailure("Cannot run %s: %s.".formatted(command[0], ErrorMessages.of(e)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.");
    }
  }

  private static ProcessBuilder.Redirect nothing() {
    return ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile());
  }
}
