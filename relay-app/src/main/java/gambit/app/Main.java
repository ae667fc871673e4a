package gambit.app;

import gambit.app.bench.BenchCommand;
import gambit.app.command.backup.BackupCommand;
import gambit.app.command.backup.RestoreCommand;
import gambit.app.command.check.CheckCommand;
import gambit.app.command.cluster.ClusterCommand;
import gambit.app.command.key.KeyCommand;
import gambit.app.command.management.ManagementCommand;
import gambit.app.command.transfer.ExportCommand;
import gambit.app.command.transfer.ImportCommand;
import gambit.app.command.transfer.SyncCommand;
import gambit.app.common.ErrorMessages;
import gambit.app.server.config.ConfigSources;
import gambit.app.server.config.Configuration;
import gambit.app.server.config.SettingsProblem;
import gambit.app.server.data.StartFailure;
import gambit.app.server.log.LogSettings;
import gambit.app.server.reload.HangupSignal;
import gambit.app.server.reload.Reload;
import gambit.app.server.reload.ReloadCommand;
import gambit.app.server.settings.ConfigCommand;
import gambit.app.server.settings.ConfigOptions;
import gambit.app.server.settings.Settings;
import gambit.app.tool.bot.BotCommand;
import gambit.app.tool.demo.DemoCommand;
import gambit.app.tool.play.PlayCommand;
import gambit.app.tool.verify.VerifyCommand;
import gambit.core.store.StoreFailure;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The command line. Without a subcommand, it runs the relay until a signal ends it. */
@Command(
    name = "gambit",
    description = {
      "A Nostr relay that referees chess.",
      "Without a command, runs the relay until SIGTERM or SIGINT."
    },
    mixinStandardHelpOptions = true,
    showAtFileInUsageHelp = true,
    subcommands = {
      PlayCommand.class,
      BotCommand.class,
      DemoCommand.class,
      VerifyCommand.class,
      BenchCommand.class,
      SyncCommand.class,
      CheckCommand.class,
      BackupCommand.class,
      RestoreCommand.class,
      ImportCommand.class,
      ExportCommand.class,
      ReloadCommand.class,
      ManagementCommand.Ban.class,
      ManagementCommand.Unban.class,
      ManagementCommand.Allow.class,
      ManagementCommand.Bans.class,
      ManagementCommand.Reports.class,
      ManagementCommand.Audit.class,
      ManagementCommand.Manage.class,
      ClusterCommand.class,
      ConfigCommand.class,
      KeyCommand.class,
      CommandLine.HelpCommand.class
    },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:ended by a signal, cleanly",
      "1:not started, with the reason in a sentence; or ended by a fault",
      "2:wrong usage"
    },
    footerHeading = "%nSettings:%n",
    footer = {
      "  A configuration file, variables GAMBIT_..., --set and the options above set them; the later"
          + " of these wins. 'gambit config show' prints all of them with descriptions.",
      "",
      "Examples:",
      "  gambit --url wss://relay.example.com --data /var/lib/gambit",
      "  gambit --config /etc/gambit.conf --port 8000",
      "  gambit --set relay.name=\"My relay\" --set admission.refused_pubkeys=npub1..."
    })
public final class Main implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);

  /** The longest clean shutdown: less than the ten seconds after which some supervisors kill. */
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(9);

  /** Printed when there is not enough memory to format a message. */
  private static final byte[] OUT_OF_MEMORY_MESSAGE =
      "Gambit ends: a thread died, and there is no memory to report which\n"
          .getBytes(StandardCharsets.US_ASCII);

  /** One MiB, released when a thread dies, so that there usually is memory for a message. */
  @SuppressWarnings("unused")
  private static volatile byte[] memoryReserve = new byte[1 << 20];

  @Mixin private ConfigOptions configOptions = new ConfigOptions();

  @Option(
      names = "--new-key",
      description = "Creates a new key for a directory that has events and no relay.key.")
  private boolean newKey;

  private Main() {}

  /** Runs the program. A relay exits with 0 after a clean shutdown, with 1 after a failure. */
  public static void main(String[] args) {
    // By default Netty may take as much direct memory as there is heap; 256 MiB are enough.
    System.setProperty(
        "io.netty.maxDirectMemory", System.getProperty("io.netty.maxDirectMemory", "268435456"));
    System.setOut(inUtf8(FileDescriptor.out));
    System.setErr(inUtf8(FileDescriptor.err));
    CommandLine program = commandLine(args);
    program.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
    program.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
    System.exit(run(program, args));
  }

  /**
   * Standard output or error in UTF-8, as the log and configuration files are. Java would use the
   * locale's encoding, which is ASCII for services without one, and print question marks.
   */
  private static PrintStream inUtf8(FileDescriptor stream) {
    return new PrintStream(new FileOutputStream(stream), true, StandardCharsets.UTF_8);
  }

  static int run(CommandLine program, String... arguments) {
    for (String argument : arguments) {
      if (argument.startsWith("@") && isUnreadable(argument.substring(1))) {
        return UsageErrors.unreadable(program, argument);
      }
    }
    try {
      program.parseArgs(arguments); // since execute() prints a stack trace for this exception
    } catch (CommandLine.InitializationException e) {
      return UsageErrors.unreadableInFile(program, e);
    } catch (CommandLine.ParameterException e) {
      LOG.debug("A wrong command line is reported by execute()");
    }
    return program.execute(arguments);
  }

  private static boolean isUnreadable(String name) {
    File file = new File(name);
    return file.isDirectory() || (file.exists() && !file.canRead());
  }

  /**
   * The command line, with errors that name a wrong value without Java class names. If a command is
   * named first, the other commands are left out: reading the options of all takes longer than many
   * a command.
   */
  static CommandLine commandLine(String... arguments) {
    CommandLine program =
        commandNamed(arguments.length == 0 ? "" : arguments[0])
            .map(Main::withOnly)
            .orElseGet(() -> new CommandLine(new Main()));
    UsageErrors errors = new UsageErrors();
    program.setParameterExceptionHandler(errors);
    program.setExecutionExceptionHandler(errors);
    program.setExecutionStrategy(errors);
    setVersion(program);
    register(program, Integer.class, Integer::valueOf, "a whole number");
    register(program, int.class, Integer::valueOf, "a whole number");
    register(program, URI.class, URI::new, "a URL");
    register(program, Path.class, Path::of, "the name of a file");
    return program;
  }

  private static Optional<Class<?>> commandNamed(String name) {
    return Arrays.stream(Main.class.getAnnotation(Command.class).subcommands())
        .filter(command -> command != CommandLine.HelpCommand.class) // it describes all others
        .filter(command -> command.getAnnotation(Command.class).name().equals(name))
        .findFirst();
  }

  private static CommandLine withOnly(Class<?> command) {
    return new CommandLine(
        CommandSpec.create()
            .name(Main.class.getAnnotation(Command.class).name())
            .addSubcommand(null, new CommandLine(command)));
  }

  private static void setVersion(CommandLine command) {
    command.getCommandSpec().version("gambit " + Gambit.version());
    command.getSubcommands().values().forEach(Main::setVersion);
  }

  private static <T> void register(
      CommandLine program, Class<T> type, ValueParser<T> parser, String name) {
    program.registerConverter(type, new NamedConverter<>(parser, name));
  }

  @FunctionalInterface
  private interface ValueParser<T> {
    T parse(String text) throws URISyntaxException;
  }

  /**
   * A converter whose errors name what was expected. It is a class because Java 17 crashes when it
   * archives a lambda of an interface as old as picocli's (JDK-8274944).
   */
  private record NamedConverter<T>(ValueParser<T> parser, String name)
      implements ITypeConverter<T> {
    @Override
    public T convert(String text) {
      try {
        return parser.parse(text);
      } catch (IllegalArgumentException | URISyntaxException e) {
        throw new TypeConversionException("'" + text + "' is not " + name);
      }
    }
  }

  @Override
  public Integer call() {
    Thread.setDefaultUncaughtExceptionHandler((thread, cause) -> haltAfterThreadDeath(cause));
    try {
      Map<String, String> environment = System.getenv();
      HangupSignal.handle(() -> LOG.warn("SIGHUP was ignored: the relay is starting"));
      Path directory = configOptions.dataDirectory(environment);
      ConfigSources sources = configOptions.sources(environment);
      Configuration configuration = sources.load();
      Settings settings = Settings.read(configuration);
      settings.log().apply();
      logStart(directory, configuration);
      Reload reload = new Reload(sources, configuration);
      HangupSignal.handle(reload::reload);
      Gambit.Options options = new Gambit.Options(directory, newKey, settings, reload);
      Gambit first = new Gambit(options, Main::haltAfterThreadDeath);
      RunningGambit running =
          new RunningGambit(first, () -> new Gambit(options.again(), Main::haltAfterThreadDeath));
      if (settings.relay().urls().isEmpty()) {
        LOG.warn("--url is not set: the relay recognizes only its loopback URLs as its own");
      }
      Thread shutdown = shutDownOnSignal(running);
      LOG.info("Ready after {} ms: {}", sinceStartOfProcess(), first.readiness());
      if (settings.log().format() == LogSettings.LogFormat.TEXT) {
        first.banner(options).forEach(System.out::println);
      }
      runUntilSignal(running, shutdown);
      return 0;
    } catch (StartFailure | SettingsProblem e) {
      System.err.println(e.getMessage());
      return 1;
    }
  }

  private static void logStart(Path directory, Configuration configuration) {
    LOG.info(
        "Gambit {} starts: process {}, Java {}, data in {}, configuration files: {}",
        Gambit.version(),
        ProcessHandle.current().pid(),
        Runtime.version(),
        directory.toAbsolutePath().normalize(),
        configuration.files().isEmpty() ? "none" : configuration.files());
  }

  private static long sinceStartOfProcess() {
    return System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
  }

  /** On SIGTERM and SIGINT: a clean shutdown, with status 0 instead of the JVM's 143 or 130. */
  private static Thread shutDownOnSignal(RunningGambit running) {
    Thread hook = new Thread(() -> shutDown(running), "shutdown");
    Runtime.getRuntime().addShutdownHook(hook);
    return hook;
  }

  /**
   * Returns after a signal, while the process is ending. After a failure nothing runs that must be
   * shut down, and the process ends with the failure's status.
   */
  private static void runUntilSignal(RunningGambit running, Thread shutdown) throws StartFailure {
    try {
      while (running.startAnewWhenOvertaken()) {
        LOG.debug("The next program runs");
      }
    } catch (Throwable e) {
      withdraw(shutdown);
      throw e;
    }
  }

  private static void withdraw(Thread shutdown) {
    try {
      Runtime.getRuntime().removeShutdownHook(shutdown);
      LogSettings.reportOmissions(true);
    } catch (IllegalStateException e) {
      LOG.debug("A signal has begun the shutdown");
    }
  }

  private static void shutDown(RunningGambit running) {
    long start = System.nanoTime();
    LOG.info("Shutting down after a signal");
    Thread closing = new Thread(running::close, "closing");
    closing.start();
    try {
      closing.join(SHUTDOWN_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      LOG.warn("Interrupted during the shutdown");
    }
    if (closing.isAlive()) {
      LOG.error("The shutdown did not finish within {} s", SHUTDOWN_TIMEOUT.toSeconds());
    }
    LogSettings.reportOmissions(true);
    if (!closing.isAlive()) {
      LOG.info("Shut down in {} ms", Duration.ofNanos(System.nanoTime() - start).toMillis());
    }
    Runtime.getRuntime().halt(closing.isAlive() ? 1 : 0);
  }

  /** Ends the process: a relay must not run without one of its threads. Called on that thread. */
  private static void haltAfterThreadDeath(Throwable cause) {
    try {
      memoryReserve = new byte[0];
      String thread = Thread.currentThread().getName();
      System.err.println(
          cause instanceof StoreFailure
              ? "Gambit ends: " + cause.getMessage() + parenthesized(cause.getCause())
              : "Gambit ends: the thread " + thread + " died: " + ErrorMessages.of(cause));
      cause.printStackTrace();
    } catch (Throwable e) {
      System.err.write(OUT_OF_MEMORY_MESSAGE, 0, OUT_OF_MEMORY_MESSAGE.length);
    } finally {
      Runtime.getRuntime().halt(1);
    }
  }

  private static String parenthesized(@Nullable Throwable cause) {
    return cause == null ? "" : " (" + ErrorMessages.of(cause) + ")";
  }
}
