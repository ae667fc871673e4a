package gambit.app;

import gambit.app.bench.BenchCommand;
import gambit.app.command.cluster.ClusterCommand;
import gambit.app.command.data.BackupCommand;
import gambit.app.command.data.CheckCommand;
import gambit.app.command.data.KeyCommand;
import gambit.app.command.data.RestoreCommand;
import gambit.app.command.management.AdminCommand;
import gambit.app.command.management.ManagementCommand;
import gambit.app.command.ratings.RatingsCommand;
import gambit.app.command.service.ServiceCommand;
import gambit.app.command.transfer.ExportCommand;
import gambit.app.command.transfer.ImportCommand;
import gambit.app.command.transfer.SyncCommand;
import gambit.app.server.reload.ReloadCommand;
import gambit.app.server.settings.ConfigCommand;
import gambit.app.server.settings.ConfigOptions;
import gambit.app.tool.bot.BotCommand;
import gambit.app.tool.play.DemoCommand;
import gambit.app.tool.play.PlayCommand;
import gambit.app.tool.verify.VerifyCommand;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * The command line. Without a subcommand, it runs the relay until a signal ends it.
 *
 * <p>Creating the model of all commands takes a third of a relay's start, so a line is read with as
 * few commands as it needs.
 */
@Command(
    name = GambitCommand.NAME,
    description = {
      "A Nostr relay that referees chess.",
      "Without a command, runs the relay until SIGTERM or SIGINT."
    },
    mixinStandardHelpOptions = true,
    showAtFileInUsageHelp = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:ended by a signal, cleanly",
      "1:not started, with the reason in a sentence; or ended by a fault"
    },
    footerHeading = "%nSettings:%n",
    footer = {
      "  A configuration file, variables GAMBIT_..., --set and the options above set them; the"
          + " later of these wins. 'gambit config show' prints all of them with descriptions.",
      "",
      "Examples:",
      "  gambit --domain relay.example.com --data /var/lib/gambit",
      "  gambit --url wss://relay.example.com --data /var/lib/gambit",
      "  gambit --config /etc/gambit.conf --port 8000",
      "  gambit --set relay.name=\"My relay\" --set admission.refused_pubkeys=npub1..."
    })
public final class GambitCommand implements Callable<Integer> {
  static final String NAME = "gambit";
  static final List<String> COMMANDS =
      List.of(
          "play", "bot", "demo", "verify", "ratings", "bench", "sync", "check", "backup", "restore",
          "import", "export", "reload", "ban", "unban", "allow", "bans", "reports", "audit",
          "manage", "admin", "cluster", "config", "key", "service", "help");

  /** The command that describes all others, and needs them. */
  private static final String HELP = "help";

  @Mixin private ConfigOptions options = new ConfigOptions();

  @Option(
      names = "--new-key",
      description = "Creates a new key for a directory that has events and no relay.key.")
  private boolean newKey;

  private GambitCommand() {}

  static int run(String... arguments) {
    CommandLine program = commandLine(arguments);
    program.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
    program.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
    return run(program, arguments);
  }

  static int run(CommandLine program, String... arguments) {
    if (Arrays.stream(arguments).anyMatch(it -> it.startsWith("@"))) {
      try {
        program.parseArgs(arguments); // since execute() prints a stack trace for this exception
      } catch (CommandLine.InitializationException e) {
        return UsageErrors.unreadableFile(program, e);
      } catch (CommandLine.ParameterException e) {
        return program.execute(arguments); // which reports it
      }
    }
    return program.execute(arguments);
  }

  /** The command line with all commands. */
  public static CommandLine commandLine() {
    return commandLine(new GambitCommand(), COMMANDS);
  }

  /** The command line for these arguments, without most commands that they do not need. */
  static CommandLine commandLine(String... arguments) {
    List<String> given = List.of(arguments);
    if (!given.isEmpty() && COMMANDS.contains(given.get(0)) && !given.get(0).equals(HELP)) {
      return commandLine(CommandSpec.create().name(NAME), given.subList(0, 1));
    }
    boolean mayNameCommands =
        given.stream().anyMatch(it -> COMMANDS.contains(it) || it.matches("@.*|-[hV]+|--help"));
    return commandLine(new GambitCommand(), mayNameCommands ? COMMANDS : List.of());
  }

  private static CommandLine commandLine(Object relay, List<String> commands) {
    CommandLine program = new CommandLine(relay);
    commands.forEach(name -> program.addSubcommand(command(name)));
    UsageErrors errors = new UsageErrors();
    program.setParameterExceptionHandler(errors);
    program.setExecutionExceptionHandler(errors);
    program.setExecutionStrategy(errors);
    complete(program);
    register(program, Integer.class, Integer::valueOf, "a whole number");
    register(program, int.class, Integer::valueOf, "a whole number");
    register(program, URI.class, URI::create, "a URL");
    register(program, Path.class, Path::of, "the name of a file");
    return program;
  }

  /** The class of a command. A switch, since a table would load the classes of all. */
  private static Class<?> command(String name) {
    return switch (name) {
      case "play" -> PlayCommand.class;
      case "bot" -> BotCommand.class;
      case "demo" -> DemoCommand.class;
      case "verify" -> VerifyCommand.class;
      case "ratings" -> RatingsCommand.class;
      case "bench" -> BenchCommand.class;
      case "sync" -> SyncCommand.class;
      case "check" -> CheckCommand.class;
      case "backup" -> BackupCommand.class;
      case "restore" -> RestoreCommand.class;
      case "import" -> ImportCommand.class;
      case "export" -> ExportCommand.class;
      case "reload" -> ReloadCommand.class;
      case "ban" -> ManagementCommand.Ban.class;
      case "unban" -> ManagementCommand.Unban.class;
      case "allow" -> ManagementCommand.Allow.class;
      case "bans" -> ManagementCommand.Bans.class;
      case "reports" -> ManagementCommand.Reports.class;
      case "audit" -> ManagementCommand.Audit.class;
      case "manage" -> ManagementCommand.Manage.class;
      case "admin" -> AdminCommand.class;
      case "cluster" -> ClusterCommand.class;
      case "config" -> ConfigCommand.class;
      case "key" -> KeyCommand.class;
      case "service" -> ServiceCommand.class;
      case HELP -> HelpCommand.class;
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** Completes a command and those below it with what the help of all has in common. */
  private static void complete(CommandLine command) {
    CommandSpec spec = command.getCommandSpec().version("gambit " + Main.version());
    UsageMessageSpec usage = spec.usageMessage();
    if (usage.footerHeading().isEmpty() && usage.footer().length > 0) {
      usage.footerHeading(usage.footer().length == 1 ? "%nExample:%n" : "%nExamples:%n");
    }
    if (!usage.exitCodeList().isEmpty()) {
      Map<String, String> codes = new TreeMap<>(Comparator.comparing(Integer::valueOf));
      codes.put("2", "wrong usage");
      codes.putAll(usage.exitCodeList());
      usage.exitCodeList(codes);
    }
    command.getSubcommands().values().forEach(GambitCommand::complete);
  }

  private static <T> void register(
      CommandLine program, Class<T> type, Function<String, T> parser, String name) {
    program.registerConverter(type, new NamedConverter<>(parser, name));
  }

  /**
   * A converter whose errors name what was expected. It is a class because Java 17 crashes when it
   * archives a lambda of an interface as old as picocli's (JDK-8274944).
   */
  private record NamedConverter<T>(Function<String, T> parser, String name)
      implements ITypeConverter<T> {
    @Override
    public T convert(String text) {
      try {
        return parser.apply(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'" + text + "' is not " + name);
      }
    }
  }

  @Override
  public Integer call() {
    return Main.runRelay(options, newKey);
  }
}
