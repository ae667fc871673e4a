package gambit.app;

import gambit.app.check.CheckCommand;
import gambit.app.demo.DemoCommand;
import gambit.app.operator.OperatorWords;
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

/** The command line: runs the relay until it is told to end. */
@Command(
    name = "gambit",
    description = "A Nostr relay that referees chess.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    subcommands = {DemoCommand.class, VerifyCommand.class, CheckCommand.class})
public final class Main implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);

  /** How long a clean end may take: less than the ten seconds after which some kill. */
  private static final Duration SHUTDOWN = Duration.ofSeconds(9);

  /** Said when there is no memory to say anything else. */
  private static final byte[] LAST_WORDS =
      "Gambit ends: a thread died, and there is no memory to say which\n"
          .getBytes(StandardCharsets.US_ASCII);

  /** Given back when a thread dies, so that there mostly is. */
  @SuppressWarnings("unused")
  private static volatile byte[] reserve = new byte[1 << 20];

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
      description = "Where the relay's key and events are kept (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of("");

  @Option(
      names = "--new-key",
      description = "Make a new key for a directory that has events and no relay.key.")
  private boolean newKey;

  @Option(names = "--url", description = "A URL by which clients know this relay; may be repeated.")
  private List<String> urls = new ArrayList<>();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides a setting; may be repeated.")
  private Map<String, String> set = new LinkedHashMap<>();

  private Main() {}

  /** Runs the program; a relay's exit status is 0 after a clean end, 1 when it could not start. */
  public static void main(String[] args) {
    // Netty would take as much direct memory as there is heap; nothing here needs that much.
    System.setProperty(
        "io.netty.maxDirectMemory", System.getProperty("io.netty.maxDirectMemory", "268435456"));
    System.exit(commandLine().execute(args));
  }

  /** The command line, which names a wrong value as a user would. */
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
    Thread.setDefaultUncaughtExceptionHandler((thread, cause) -> die(cause));
    try {
      Settings settings = Settings.of(set, urls);
      Gambit.Options options = new Gambit.Options(host, port, metricsPort, data, newKey, settings);
      Gambit gambit = new Gambit(options, Main::die);
      if (settings.urls().isEmpty()) {
        LOG.warn("No --url is set: the relay answers to the loopback names only");
      }
      endOnSignal(gambit);
      gambit.banner(options).forEach(System.out::println);
      new CountDownLatch(1).await();
      return 0;
    } catch (CannotStart e) {
      System.err.println(e.getMessage());
      return 1;
    }
  }

  /** On SIGTERM and SIGINT: a clean end, and status 0 rather than the JVM's 143. */
  private static void endOnSignal(Gambit gambit) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(gambit), "shutdown"));
  }

  private static void end(Gambit gambit) {
    Thread closing = new Thread(gambit::close, "closing");
    closing.start();
    try {
      closing.join(SHUTDOWN.toMillis());
    } catch (InterruptedException e) {
      LOG.warn("Interrupted while ending");
    }
    if (closing.isAlive()) {
      LOG.error("Not everything ended within {} s", SHUTDOWN.toSeconds());
    }
    Runtime.getRuntime().halt(closing.isAlive() ? 1 : 0);
  }

  /** A relay with a dead thread is worse than none. On the thread that dies. */
  private static void die(Throwable cause) {
    try {
      reserve = new byte[0];
      String thread = Thread.currentThread().getName();
      System.err.println(
          cause instanceof StoreFailure
              ? "Gambit ends: " + cause.getMessage() + because(cause.getCause())
              : "Gambit ends: the thread " + thread + " died of " + OperatorWords.of(cause));
      cause.printStackTrace();
    } catch (Throwable e) {
      System.err.write(LAST_WORDS, 0, LAST_WORDS.length);
    } finally {
      Runtime.getRuntime().halt(1);
    }
  }

  private static String because(@Nullable Throwable cause) {
    return cause == null ? "" : " (" + OperatorWords.of(cause) + ")";
  }

  /** The version, for {@code --version}. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"gambit " + Gambit.version()};
    }
  }
}
