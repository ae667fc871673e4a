package gambit.app;

import gambit.app.bot.BotCommand;
import gambit.app.check.CheckCommand;
import gambit.app.config.ConfigSources;
import gambit.app.config.SettingsProblem;
import gambit.app.demo.DemoCommand;
import gambit.app.operator.ErrorMessages;
import gambit.app.play.PlayCommand;
import gambit.app.settings.Settings;
import gambit.app.verify.VerifyCommand;
import gambit.core.store.StoreFailure;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The command line. Without a subcommand, it runs the relay until a signal ends it. */
@Command(
    name = "gambit",
    description = "A Nostr relay that referees chess.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    subcommands = {
      PlayCommand.class,
      BotCommand.class,
      DemoCommand.class,
      VerifyCommand.class,
      CheckCommand.class
    })
public final class Main implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);

  /** The longest clean shutdown: less than the ten seconds after which some supervisors kill. */
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(9);

  private static final String DEFAULT_DATA = "./gambit-data";

  /** Printed when there is not enough memory to format a message. */
  private static final byte[] OUT_OF_MEMORY_MESSAGE =
      "Gambit ends: a thread died, and there is no memory to report which\n"
          .getBytes(StandardCharsets.US_ASCII);

  /** One MiB, released when a thread dies, so that there usually is memory for a message. */
  @SuppressWarnings("unused")
  private static volatile byte[] memoryReserve = new byte[1 << 20];

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Configuration file (default: GAMBIT_CONFIG, or gambit.conf in the data directory).")
  private @Nullable Path config;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Directory of the relay's key and events (default: GAMBIT_DATA, or ./gambit-data).")
  private @Nullable Path data;

  @Option(
      names = "--listen",
      paramLabel = "HOST",
      description = "Address to listen on: relay.listen (default: 127.0.0.1).")
  private @Nullable String listen;

  @Option(names = "--port", description = "Port of the relay: relay.port (default: 7447).")
  private @Nullable Integer port;

  @Option(
      names = "--metrics-port",
      description = "Port for metrics and health, on localhost only: metrics.port (default: 7448).")
  private @Nullable Integer metricsPort;

  @Option(
      names = "--new-key",
      description = "Creates a new key for a directory that has events and no relay.key.")
  private boolean newKey;

  @Option(
      names = "--url",
      description = "A URL that clients use for this relay; may be repeated: relay.url.")
  private List<String> urls = new ArrayList<>();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides a setting; may be repeated.")
  private Map<String, String> settingOverrides = new LinkedHashMap<>();

  private Main() {}

  /** Runs the program. A relay exits with 0 after a clean shutdown, with 1 after a failure. */
  public static void main(String[] args) {
    // By default Netty may take as much direct memory as there is heap; 256 MiB are enough.
    System.setProperty(
        "io.netty.maxDirectMemory", System.getProperty("io.netty.maxDirectMemory", "268435456"));
    System.exit(commandLine().execute(args));
  }

  /** The command line, with errors that name a wrong value without Java class names. */
  static CommandLine commandLine() {
    CommandLine program = new CommandLine(new Main());
    register(program, Integer.class, Integer::valueOf, "a whole number");
    register(program, int.class, Integer::valueOf, "a whole number");
    register(program, URI.class, URI::new, "a URL");
    register(program, Path.class, Path::of, "the name of a file");
    return program;
  }

  private static <T> void register(
      CommandLine program, Class<T> type, ITypeConverter<T> converter, String name) {
    program.registerConverter(
        type,
        text -> {
          try {
            return converter.convert(text);
          } catch (IllegalArgumentException | URISyntaxException e) {
            throw new TypeConversionException("'" + text + "' is not " + name);
          }
        });
  }

  @Override
  public Integer call() throws InterruptedException {
    Thread.setDefaultUncaughtExceptionHandler((thread, cause) -> haltAfterThreadDeath(cause));
    try {
      Map<String, String> environment = System.getenv();
      Path directory = dataDirectory(environment);
      Settings settings = Settings.read(sources(directory, environment).load());
      Gambit.Options options = new Gambit.Options(directory, newKey, settings);
      Gambit gambit = new Gambit(options, Main::haltAfterThreadDeath);
      if (settings.relay().urls().isEmpty()) {
        LOG.warn("--url is not set: the relay recognizes only its loopback URLs as its own");
      }
      shutDownOnSignal(gambit);
      gambit.banner(options).forEach(System.out::println);
      new CountDownLatch(1).await();
      return 0;
    } catch (StartFailure | SettingsProblem e) {
      System.err.println(e.getMessage());
      return 1;
    }
  }

  private Path dataDirectory(Map<String, String> environment) {
    return data == null
        ? Path.of(environment.getOrDefault(ConfigSources.DATA_VARIABLE, DEFAULT_DATA))
        : data;
  }

  /** The layers of the configuration. */
  private ConfigSources sources(Path directory, Map<String, String> environment)
      throws SettingsProblem {
    ConfigSources sources =
        ConfigSources.defaults().withEnvironment(environment).withOverrides(settingOverrides);
    String variable = environment.get(ConfigSources.FILE_VARIABLE);
    if (config != null) {
      sources = sources.withFile("--config", config);
    } else if (variable != null) {
      sources = sources.withFile(ConfigSources.FILE_VARIABLE, Path.of(variable));
    } else {
      sources = sources.withFileOf(directory);
    }
    sources = withFlag(sources, "--listen", "relay.listen", listen);
    sources = withFlag(sources, "--port", "relay.port", port);
    sources = withFlag(sources, "--metrics-port", "metrics.port", metricsPort);
    return urls.isEmpty()
        ? sources
        : sources.withFlag("--url", "relay.url", String.join(",", urls));
  }

  private static ConfigSources withFlag(
      ConfigSources sources, String flag, String key, @Nullable Object value) {
    return value == null ? sources : sources.withFlag(flag, key, value.toString());
  }

  /** On SIGTERM and SIGINT: a clean shutdown, with status 0 instead of the JVM's 143 or 130. */
  private static void shutDownOnSignal(Gambit gambit) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> shutDown(gambit), "shutdown"));
  }

  private static void shutDown(Gambit gambit) {
    Thread closing = new Thread(gambit::close, "closing");
    closing.start();
    try {
      closing.join(SHUTDOWN_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      LOG.warn("Interrupted during the shutdown");
    }
    if (closing.isAlive()) {
      LOG.error("The shutdown did not finish within {} s", SHUTDOWN_TIMEOUT.toSeconds());
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

  /** The version, for {@code --version}. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"gambit " + Gambit.version()};
    }
  }
}
