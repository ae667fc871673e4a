package gambit.app;

import gambit.app.bot.BotCommand;
import gambit.app.check.CheckCommand;
import gambit.app.demo.DemoCommand;
import gambit.app.operator.ErrorMessages;
import gambit.app.play.PlayCommand;
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

  /** Printed when there is not enough memory to format a message. */
  private static final byte[] OUT_OF_MEMORY_MESSAGE =
      "Gambit ends: a thread died, and there is no memory to report which\n"
          .getBytes(StandardCharsets.US_ASCII);

  /** One MiB, released when a thread dies, so that there usually is memory for a message. */
  @SuppressWarnings("unused")
  private static volatile byte[] memoryReserve = new byte[1 << 20];

  @Option(
      names = "--listen",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description = "Address to listen on (default: ${DEFAULT-VALUE}).")
  private String host = "";

  @Option(
      names = "--port",
      defaultValue = "7447",
      description = "Port of the relay (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--metrics-port",
      defaultValue = "7448",
      description = "Port for metrics and health, on localhost only (default: ${DEFAULT-VALUE}).")
  private int metricsPort;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "./gambit-data",
      description = "Directory of the relay's key and events (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of("");

  @Option(
      names = "--new-key",
      description = "Creates a new key for a directory that has events and no relay.key.")
  private boolean newKey;

  @Option(names = "--url", description = "A URL that clients use for this relay; may be repeated.")
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
      Settings settings = Settings.of(settingOverrides, urls);
      Gambit.Options options = new Gambit.Options(host, port, metricsPort, data, newKey, settings);
      Gambit gambit = new Gambit(options, Main::haltAfterThreadDeath);
      if (settings.urls().isEmpty()) {
        LOG.warn("--url is not set: the relay recognizes only its loopback URLs as its own");
      }
      shutDownOnSignal(gambit);
      gambit.banner(options).forEach(System.out::println);
      new CountDownLatch(1).await();
      return 0;
    } catch (StartFailure e) {
      System.err.println(e.getMessage());
      return 1;
    }
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
