package gambit.app.command.service;

import gambit.app.command.management.ManagementChannel;
import gambit.app.command.management.ManagementCommand;
import gambit.app.common.CommandFailure;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.ErrorMessages;
import gambit.app.server.config.ConfigSources;
import gambit.app.server.config.SettingsProblem;
import gambit.app.server.reload.ControlFile;
import gambit.app.server.settings.ConfigOptions;
import gambit.app.server.settings.Settings;
import gambit.app.server.tls.AcmeFiles;
import gambit.app.server.tls.TlsSettings.AcmeSettings;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** {@code gambit service}: makes a service of systemd from the directory of this program. */
@Command(
    name = "service",
    description = "Runs the relay as a service of systemd, from the directory of this program.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "(install | upgrade | uninstall)",
    subcommands = {
      ServiceCommand.Install.class,
      ServiceCommand.Upgrade.class,
      ServiceCommand.Uninstall.class
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {"0:done", "1:refused, with the reason in a sentence"},
    footer = {
      "  sudo /opt/gambit/gambit service install --domain relay.example.com",
      "  sudo /opt/gambit/gambit service uninstall"
    })
public final class ServiceCommand {
  @Command(
      name = "install",
      description = {
        "Installs the service gambit, starts it, and waits until it is ready. The options are those"
            + " of the relay, which the service is started with.",
        "Further settings are in gambit.conf in the data directory, /var/lib/gambit unless --data"
            + " names another. Repeat the command to change the options."
      },
      exitCodeList = {"0:the service is ready", "1:it is not, with the reason in a sentence"},
      footer = "  sudo /opt/gambit/gambit service install --domain relay.example.com")
  static final class Install extends ConsoleCommand {
    private static final String USER_OPTION = "--user";
    private static final Map<String, String> DEFAULTS =
        Map.of(ConfigSources.DATA_VARIABLE, "/var/lib/gambit");
    private static final int CERTIFICATE_SECONDS = 60;
    private static final int LOW_PORTS = 1024;
    private static final String STATUS_CALL = "{\"method\":\"status\",\"params\":[]}";

    @Mixin private ConfigOptions options = new ConfigOptions();

    @Option(
        names = USER_OPTION,
        paramLabel = "NAME",
        defaultValue = "gambit",
        description = "The system's user for the service, made if missing (default: gambit).")
    private String user = "";

    private final ServiceHost host = new ServiceHost();

    @Override
    protected int run() throws CommandFailure, InterruptedException {
      host.requireUsable();
      if (!user.matches("[a-z_][a-z0-9_-]{0,30}") || user.equals("root")) {
        throw wrong("--user: the name of a user other than root");
      }
      Path data = options.dataDirectory(DEFAULTS).toAbsolutePath().normalize();
      ServiceHost.requireVisible("The data directory", data);
      Path script = ServiceHost.script();
      Path java = ServiceHost.javaOutside(script);
      Settings settings = settings();
      host.requireRunnable(user, script, java);
      requireOurs(data);
      Optional<String> former = host.unit();
      boolean isUserMade = makeUser(data, former);
      String unit =
          new ServiceUnit(
                  user, isUserMade, data, script, java, arguments(data), hasLowPort(settings))
              .text();
      boolean isChanged = !former.equals(Optional.of(unit));
      if (isChanged) {
        if (former.isPresent()) {
          host.stop();
        }
        host.run("install", "-d", "-m", "700", data.toString());
        host.run("chown", "-R", user + ":", data.toString());
        host.changeUnit(Optional.of(unit));
        if (former.isPresent() && !isOf(user, former.get())) {
          host.removeMadeUser(former.get());
        }
      }
      host.run("systemctl", "enable", "--now", ServiceHost.NAME);
      host.awaitReady(data);
      print(
          "The service gambit is ready.",
          "  data        " + data,
          "  log         journalctl -u gambit");
      ControlFile.Answer link =
          ControlFile.ofRunning(data).post(ManagementChannel.LINK_PATH, ManagementChannel.FIRST);
      if (link.status() != ManagementChannel.EXISTS) {
        print("  first admin " + link.text());
      }
      Optional<AcmeSettings> acme = settings.tls().acme();
      return acme.isEmpty() || hasCertificate(data, acme.get().domain()) ? 0 : 1;
    }

    private Settings settings() throws CommandFailure {
      try {
        return Settings.read(options.sources(DEFAULTS).load());
      } catch (SettingsProblem e) {
        throw new CommandFailure(e.sentence());
      }
    }

    private static boolean hasLowPort(Settings settings) {
      int http = settings.tls().acme().map(AcmeSettings::httpPort).orElse(0);
      return IntStream.of(settings.relay().port(), http).anyMatch(it -> it > 0 && it < LOW_PORTS);
    }

    /** All files of the directory will be the service's, so they have to be Gambit's. */
    private static void requireOurs(Path data) throws CommandFailure {
      if (Files.notExists(data) || Files.exists(data.resolve("relay.key"))) {
        return;
      }
      try (DirectoryStream<Path> files = Files.newDirectoryStream(data)) {
        for (Path file : files) {
          if (!file.endsWith("gambit.conf")) {
            throw new CommandFailure(
                "--data: " + data + " has files, but not those of a relay; name a new directory.");
          }
        }
      } catch (IOException e) {
        throw new CommandFailure("--data: cannot read " + data + ": " + ErrorMessages.of(e) + ".");
      }
    }

    /** Makes the user if missing; returns whether this command has ever made it. */
    private boolean makeUser(Path data, Optional<String> former) throws CommandFailure {
      if (host.hasUser(user)) {
        return former
            .filter(unit -> isOf(user, unit))
            .flatMap(ServiceUnit::hasMadeUser)
            .orElse(false);
      }
      host.run(
          "useradd",
          "--system",
          "--no-create-home",
          "--home-dir",
          data.toString(),
          "--shell",
          "/usr/sbin/nologin",
          user);
      return true;
    }

    private static boolean isOf(String user, String unit) {
      return ServiceUnit.value(unit, "User").equals(Optional.of(user));
    }

    /** The options for the relay as they were given, with absolute paths. */
    private List<String> arguments(Path data) {
      List<String> arguments = new ArrayList<>(List.of("--data", data.toString()));
      for (OptionSpec option : spec().commandLine().getParseResult().matchedOptions()) {
        String name = option.longestName();
        if (!name.equals("--data") && !name.equals(USER_OPTION)) {
          for (String value : option.originalStringValues()) {
            boolean isPath = option.type() == Path.class;
            arguments.add(name);
            arguments.add(isPath ? Path.of(value).toAbsolutePath().normalize() + "" : value);
          }
        }
      }
      return arguments;
    }

    /** Waits for the first certificate; after a failed order, prints the reason. */
    private boolean hasCertificate(Path data, String domain)
        throws CommandFailure, InterruptedException {
      String problem = "";
      for (int tries = 0; problem.isEmpty() && !AcmeFiles.hasCertificate(data, domain); tries++) {
        if (tries == CERTIFICATE_SECONDS) {
          problem = "the authority has not answered.";
        }
        TimeUnit.SECONDS.sleep(1);
        ControlFile.Answer status =
            ControlFile.ofRunning(data).post(ManagementChannel.PATH, STATUS_CALL);
        problem =
            ManagementCommand.text(status.text(), "/result/certificate/problem").orElse(problem);
      }
      if (!problem.isEmpty()) {
        printError("There is no certificate yet, and the relay tries again: " + problem);
      }
      return problem.isEmpty();
    }
  }

  @Command(
      name = "upgrade",
      description = {
        "Has the installed service run the program of this directory, such as a newer bundle that"
            + " was unpacked beside the former one. The options stay.",
        "If it does not become ready, the service runs the former program again."
      },
      exitCodeList = {
        "0:the service runs this program",
        "1:it runs the former one, with the reason in a sentence"
      },
      footer = "  sudo /opt/gambit-0.2/gambit service upgrade")
  static final class Upgrade extends ConsoleCommand {
    private final ServiceHost host = new ServiceHost();

    @Override
    protected int run() throws CommandFailure, InterruptedException {
      host.requireUsable();
      String former = host.requireUnit();
      Path data = Path.of(ServiceUnit.value(former, "WorkingDirectory").orElseThrow());
      Path script = ServiceHost.script();
      Path java = ServiceHost.javaOutside(script);
      host.requireRunnable(ServiceUnit.value(former, "User").orElseThrow(), script, java);
      String next = ServiceUnit.withProgram(former, script, java);
      try {
        runWith(next, data);
      } catch (CommandFailure e) {
        runWith(former, data);
        throw new CommandFailure("The former program runs again. " + e.sentence());
      }
      print("The service gambit is ready, and runs " + script + ".");
      return 0;
    }

    private void runWith(String unit, Path data) throws CommandFailure, InterruptedException {
      host.stop();
      host.changeUnit(Optional.of(unit));
      host.run("systemctl", "start", ServiceHost.NAME);
      host.awaitReady(data);
    }
  }

  @Command(
      name = "uninstall",
      description = {
        "Stops the service gambit and removes it, and its user if the installation has made it.",
        "The data directory and the program stay."
      },
      exitCodeList = {"0:done", "1:refused, with the reason in a sentence"},
      footer = "  sudo /opt/gambit/gambit service uninstall")
  static final class Uninstall extends ConsoleCommand {
    private final ServiceHost host = new ServiceHost();

    @Override
    protected int run() throws CommandFailure {
      host.requireUsable();
      String unit = host.requireUnit();
      String data = ServiceUnit.value(unit, "WorkingDirectory").orElse("");
      host.stop();
      host.run("systemctl", "disable", ServiceHost.NAME);
      host.changeUnit(Optional.empty());
      // The next user that the system makes may get the same number.
      host.outcome("chown", "-R", "root:", data);
      host.removeMadeUser(unit);
      print("The service gambit is removed. Its data, and the relay's key, stay in " + data + ".");
      return 0;
    }
  }
}
