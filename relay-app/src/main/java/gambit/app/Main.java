package gambit.app;

import gambit.app.common.CommandFailure;
import gambit.app.common.ErrorMessages;
import gambit.app.server.config.ConfigSources;
import gambit.app.server.config.Configuration;
import gambit.app.server.config.SettingsProblem;
import gambit.app.server.log.LogSettings;
import gambit.app.server.reload.Reload;
import gambit.app.server.settings.ConfigOptions;
import gambit.app.server.settings.Settings;
import gambit.core.store.StoreFailure;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The program. Its command line is {@link GambitCommand}. */
public final class Main {
  /** The log, which takes longer to load than the program takes to print its version. */
  private static final class Log {
    static final Logger MAIN = LoggerFactory.getLogger(Main.class);
  }

  /** The longest clean shutdown: less than the ten seconds after which some supervisors kill. */
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(9);

  private static final long MAX_DIRECT_MEMORY = 256 << 20;

  /** Printed when there is not enough memory to format a message. */
  private static final byte[] OUT_OF_MEMORY_MESSAGE =
      "Gambit ends: a thread died, and there is no memory to report which\n"
          .getBytes(StandardCharsets.US_ASCII);

  private Main() {}

  /** Runs the program. A relay exits with 0 after a clean shutdown, with 1 after a failure. */
  public static void main(String[] args) {
    limitDirectMemory();
    setDefault("io.netty.jfr.enabled", "false"); // Flight Recorder's classes are a tenth of a start
    nameUnpackedLibraries();
    System.setOut(inUtf8(FileDescriptor.out));
    System.setErr(inUtf8(FileDescriptor.err));
    System.exit(run(args));
  }

  private static void setDefault(String property, String value) {
    System.setProperty(property, System.getProperty(property, value));
  }

  private static int run(String... arguments) {
    if (arguments.length == 1 && arguments[0].equals("--version")) {
      System.out.println("gambit " + version());
      return 0;
    }
    return GambitCommand.run(arguments);
  }

  /** By default Netty may take as much direct memory as there is heap; half of it is enough. */
  private static void limitDirectMemory() {
    long limit = Math.min(MAX_DIRECT_MEMORY, Runtime.getRuntime().maxMemory() / 2);
    setDefault("io.netty.maxDirectMemory", "" + limit);
  }

  /**
   * Names the native libraries that were unpacked into {@code native/} beside the jar, before the
   * first of their classes is used. Without that directory, each start unpacks those of the jar
   * into the directory for temporary files, where a killed process leaves them. Netty finds its own
   * by Java's library path, which only the launch script can set.
   */
  private static void nameUnpackedLibraries() {
    File jar = new File(System.getProperty("java.class.path")).getAbsoluteFile(); // of java -jar
    File directory = new File(jar.getParentFile(), "native");
    if (directory.isDirectory()) {
      setDefault("gambit.lmdb.library", new File(directory, "liblmdb.so").toString());
      setDefault("jffi.boot.library.path", directory.toString());
      setDefault("fr.acinq.secp256k1.lib.path", directory.toString());
      setDefault("fr.acinq.secp256k1.lib.name", "libsecp256k1-jni.so");
      // Which is searched for old libraries at each start.
      setDefault("fr.acinq.secp256k1.tmpdir", directory.toString());
    }
  }

  /**
   * Standard output or error in UTF-8, as the log and configuration files are. Java would use the
   * locale's encoding, which is ASCII for services without one, and print question marks.
   */
  private static PrintStream inUtf8(FileDescriptor stream) {
    return new PrintStream(new FileOutputStream(stream), true, StandardCharsets.UTF_8);
  }

  static int runRelay(ConfigOptions configOptions, boolean newKey) {
    Thread.setDefaultUncaughtExceptionHandler((thread, cause) -> haltAfterThreadDeath(cause));
    try {
      Map<String, String> environment = System.getenv();
      Reload.onHangup(() -> Log.MAIN.warn("SIGHUP was ignored: the relay is starting"));
      Path directory = configOptions.dataDirectory(environment);
      ConfigSources sources = configOptions.sources(environment);
      Configuration configuration = sources.load();
      Settings settings = Settings.read(configuration);
      settings.log().apply();
      logStart(directory, configuration);
      Reload reload = new Reload(sources, configuration);
      Reload.onHangup(reload::reload);
      Gambit.Options options = new Gambit.Options(directory, newKey, settings, reload);
      Gambit first = new Gambit(options, Main::haltAfterThreadDeath);
      RunningGambit running =
          new RunningGambit(first, () -> new Gambit(options.again(), Main::haltAfterThreadDeath));
      if (settings.relay().urls().isEmpty()) {
        Log.MAIN.warn("--url is not set: the relay recognizes only its loopback URLs as its own");
      }
      StartSteps.heapAdvice().ifPresent(Log.MAIN::warn);
      Thread shutdown = shutDownOnSignal(running);
      Log.MAIN.info("Ready after {} ms: {}", sinceStartOfProcess(), first.readiness());
      if (settings.log().format() == LogSettings.LogFormat.TEXT) {
        first.banner(options).forEach(System.out::println);
      }
      first.firstAdmin().ifPresent(it -> showFirstAdmin(it, settings.log().format()));
      runUntilSignal(running, shutdown);
      return 0;
    } catch (CommandFailure | SettingsProblem e) {
      System.err.println(e.getMessage());
      return 1;
    }
  }

  private static void showFirstAdmin(String line, LogSettings.LogFormat format) {
    if (format == LogSettings.LogFormat.TEXT) {
      System.out.println("  first admin " + line);
    } else {
      Log.MAIN.info("First admin: {}", line);
    }
  }

  private static void logStart(Path directory, Configuration configuration) {
    Log.MAIN.info(
        "Gambit {} starts: process {}, Java {}, data in {}, configuration files: {}",
        version(),
        ManagementFactory.getRuntimeMXBean().getPid(),
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
  private static void runUntilSignal(RunningGambit running, Thread shutdown) throws CommandFailure {
    try {
      while (running.startAnewWhenOvertaken()) {
        Log.MAIN.debug("The next program runs");
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
      Log.MAIN.debug("A signal has begun the shutdown");
    }
  }

  private static void shutDown(RunningGambit running) {
    long start = System.nanoTime();
    Log.MAIN.info("Shutting down after a signal");
    Thread closing = new Thread(running::close, "closing");
    closing.start();
    try {
      closing.join(SHUTDOWN_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Log.MAIN.warn("Interrupted during the shutdown");
    }
    if (closing.isAlive()) {
      Log.MAIN.error("The shutdown did not finish within {} s", SHUTDOWN_TIMEOUT.toSeconds());
    }
    LogSettings.reportOmissions(true);
    if (!closing.isAlive()) {
      Log.MAIN.info("Shut down in {} ms", Duration.ofNanos(System.nanoTime() - start).toMillis());
    }
    Runtime.getRuntime().halt(closing.isAlive() ? 1 : 0);
  }

  /** Ends the process: a relay must not run without one of its threads. Called on that thread. */
  private static void haltAfterThreadDeath(Throwable cause) {
    try {
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

  /** The version of the jar, or {@code dev} if the program does not run from a jar. */
  static String version() {
    String version = Main.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }
}
