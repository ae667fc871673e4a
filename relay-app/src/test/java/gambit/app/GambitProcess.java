package gambit.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The packaged program in a separate process, started by its launch script. */
public final class GambitProcess implements AutoCloseable {
  /** What the build leaves: launch script, jar, native libraries and archive of classes. */
  public static final Path DIRECTORY = Path.of("target/gambit").toAbsolutePath();

  /** A line of the log of a node that another one has overtaken, with its new ports. */
  private static final Pattern READY_AGAIN =
      Pattern.compile("Ready again: listens on ws://[^ ]*:(\\d+) .*metrics on port (\\d+)");

  public static final Path SCRIPT = DIRECTORY.resolve("gambit");
  public static final Path JAR = DIRECTORY.resolve("gambit.jar");
  private static final int TIMEOUT_SECONDS = 180;

  private final Process process;
  private final BlockingQueue<String> out = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> err = new LinkedBlockingQueue<>();
  private final List<Thread> readers = new ArrayList<>();

  private GambitProcess(List<String> command) throws IOException {
    this(command, Map.of());
  }

  private GambitProcess(List<String> command, Map<String, String> environment) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    process = builder.start();
    readers.add(collect(process.getInputStream(), out));
    readers.add(collect(process.getErrorStream(), err));
  }

  /** Runs {@code gambit} with these arguments, in a Java that compiles quickly. */
  public static GambitProcess run(String... arguments) throws IOException {
    return runWith(quick(), arguments);
  }

  /** The option for a Java that compiles quickly, followed by the given ones. */
  public static List<String> quick(String... more) {
    List<String> options = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));
    options.addAll(List.of(more));
    return options;
  }

  /** Runs it with these options for Java besides those of the launch script. */
  public static GambitProcess runWith(List<String> javaOptions, String... arguments)
      throws IOException {
    return new GambitProcess(command(javaOptions, arguments));
  }

  /** Runs {@code java -jar gambit.jar} with these options for Java and no others. */
  public static GambitProcess runJar(List<String> javaOptions, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(javaOptions);
    command.addAll(List.of("-jar", JAR.toString()));
    command.addAll(List.of(arguments));
    return new GambitProcess(command);
  }

  /** Runs it with further variables in its environment. */
  public static GambitProcess runIn(Map<String, String> environment, String... arguments)
      throws IOException {
    return new GambitProcess(command(quick(), arguments), environment);
  }

  /** Starts a relay with these variables and arguments only, and waits for its banner. */
  public static GambitProcess relayIn(Map<String, String> environment, String... arguments)
      throws IOException {
    return runIn(environment, arguments).awaitBanner();
  }

  /** The command that runs {@code gambit} with options for Java, none of which has a space. */
  public static List<String> command(List<String> javaOptions, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add("env");
    command.add("JAVA_HOME=" + System.getProperty("java.home"));
    command.add("JAVA_OPTS=" + String.join(" ", javaOptions));
    command.add(SCRIPT.toString());
    command.addAll(List.of(arguments));
    return command;
  }

  /**
   * Starts a relay on free ports, without a house player unless an argument sets it, and waits for
   * its banner.
   */
  public static GambitProcess relay(Path data, String... more) throws IOException {
    return relayWith(quick(), data, more);
  }

  /** Starts a relay with these further options for Java, and waits for its banner. */
  public static GambitProcess relayWith(List<String> javaOptions, Path data, String... more)
      throws IOException {
    List<String> arguments = arguments(data);
    arguments.addAll(List.of(more));
    return runWith(javaOptions, arguments.toArray(String[]::new)).awaitBanner();
  }

  /** Starts a relay as {@link #runJar} does, and waits for its banner. */
  public static GambitProcess relayOfJar(List<String> javaOptions, Path data) throws IOException {
    return runJar(javaOptions, arguments(data).toArray(String[]::new)).awaitBanner();
  }

  /** Starts a relay on a given port, and waits for its banner. */
  public static GambitProcess relayAt(int port, Path data, String... more) throws IOException {
    List<String> arguments = arguments(data);
    arguments.set(1, "" + port);
    arguments.addAll(List.of(more));
    return runWith(quick(), arguments.toArray(String[]::new)).awaitBanner();
  }

  /**
   * Starts a relay with a limit on its resources.
   *
   * @param limit for the shell's {@code ulimit}, such as {@code -n 100} for open files
   */
  public static GambitProcess relayWithin(String limit, Path data) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "ulimit " + limit + " && exec \"$@\"", "sh"));
    command.addAll(command(quick(), arguments(data).toArray(String[]::new)));
    return new GambitProcess(command).awaitBanner();
  }

  private static List<String> arguments(Path data) {
    return new ArrayList<>(
        List.of(
            "--port",
            "0",
            "--metrics-port",
            "0",
            "--data",
            data.toString(),
            "--set",
            "chess.house.enabled=false"));
  }

  private GambitProcess awaitBanner() {
    try {
      for (int i = 0; i < 6; i++) {
        banner.add(nextLine());
      }
      return this;
    } catch (AssertionError e) {
      close();
      throw e;
    }
  }

  private final List<String> banner = new ArrayList<>();

  /** The lines that a relay prints once it listens. */
  public List<String> banner() {
    return banner;
  }

  public URI url() {
    return URI.create("ws://localhost:" + port("ws://localhost:(\\d+)", 1));
  }

  public long pid() {
    return process.pid();
  }

  public URI metricsUrl() {
    return URI.create(
        "http://localhost:" + port("http://localhost:(\\d+)/metrics", 2) + "/metrics");
  }

  /** A port: that of the last start anew, which has other ones, or that of the banner. */
  private String port(String pattern, int group) {
    String last = null;
    for (Matcher again = READY_AGAIN.matcher(errorsSoFar()); again.find(); ) {
      last = again.group(group);
    }
    if (last != null) {
      return last;
    }
    Matcher matcher = Pattern.compile(pattern).matcher(String.join("\n", banner));
    if (!matcher.find()) {
      throw new AssertionError("no " + pattern + " in " + banner);
    }
    return matcher.group(1);
  }

  /** Waits for the first line of standard output. */
  public String firstLine() {
    return nextLine();
  }

  private String nextLine() {
    try {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
      String line = out.poll();
      while (line == null && System.nanoTime() < end) {
        boolean hasEnded = !readers.get(0).isAlive(); // then no line follows
        line = out.poll(hasEnded ? 0 : 100, TimeUnit.MILLISECONDS);
        end = hasEnded ? System.nanoTime() : end;
      }
      if (line == null) {
        throw new AssertionError("nothing was printed; standard error: " + err);
      }
      return line;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The peak of resident memory so far, in megabytes; Linux only. */
  public long peakResidentMegabytes() throws IOException {
    return status("VmHWM") / 1024;
  }

  /** The current value of a gauge or counter. */
  public double metric(String name) throws IOException {
    Double value = metrics().get(name);
    if (value == null) {
      throw new AssertionError("no " + name);
    }
    return value;
  }

  /** All gauges and counters by their names, which include their labels. */
  public Map<String, Double> metrics() throws IOException {
    return metrics(metricsUrl());
  }

  /** The same of any relay, at the URL of its metrics. */
  public static Map<String, Double> metrics(URI url) throws IOException {
    try (InputStream in = url.toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split(" (?=[^ ]*$)"))
          .collect(Collectors.toMap(pair -> pair[0], pair -> Double.valueOf(pair[1])));
    }
  }

  /** A number in {@code /proc/…/status}: memory in kilobytes, threads; Linux only. */
  public long status(String name) throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith(name + ":")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new AssertionError("no " + name + " in " + status);
  }

  /** Writes to standard input, which stays open. */
  public void write(String text) throws IOException {
    process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /** Sends SIGTERM; unlike {@link Process#destroy}, leaves the output readable. */
  public GambitProcess terminate() {
    process.toHandle().destroy();
    return this;
  }

  /** Sends SIGINT, like Ctrl-C. */
  public void interrupt() throws IOException {
    signal("INT");
  }

  /**
   * Sends SIGINT, like Ctrl-C, or SIGTERM if programs of this build ignore SIGINT, as in the
   * background of a shell.
   *
   * @return the exit status of a program that the signal ends
   */
  public int interruptOrTerminate() throws IOException {
    boolean isIgnored = isIgnored(2);
    signal(isIgnored ? "TERM" : "INT");
    return isIgnored ? 143 : 130;
  }

  /** Whether programs of this build ignore the signal with that number; Linux only. */
  private static boolean isIgnored(int signal) throws IOException {
    Path status = Path.of("/proc/self/status");
    Matcher ignored =
        Pattern.compile("SigIgn:\\s*([0-9a-f]+)")
            .matcher(Files.exists(status) ? Files.readString(status) : "");
    return ignored.find() && (Long.parseUnsignedLong(ignored.group(1), 16) >> signal - 1 & 1) == 1;
  }

  /** Sends SIGHUP. Fails where programs of this build ignore it, as after {@code nohup}. */
  public void hangUp() throws IOException {
    assertThat(isIgnored(1)).as("this build ignores SIGHUP (was it started by nohup?)").isFalse();
    signal("HUP");
  }

  /** Sends SIGQUIT, on which Java prints the stacks of all threads. */
  public void dumpThreads() throws IOException {
    signal("QUIT");
  }

  private void signal(String name) throws IOException {
    try {
      new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Sends SIGKILL. */
  public GambitProcess kill() {
    process.destroyForcibly();
    return this;
  }

  public boolean isRunning() {
    return process.isAlive();
  }

  /** Waits for the end and returns the exit status. */
  public int exitStatus() {
    try {
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("the process does not end");
      }
      for (Thread reader : readers) {
        reader.join();
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The unread standard output so far. */
  public String outputSoFar() {
    return String.join("\n", out);
  }

  /** Standard error so far. */
  public String errorsSoFar() {
    return String.join("\n", err);
  }

  /** The unread standard output, after the end. */
  public String output() {
    return String.join("\n", out);
  }

  /** Standard error, after the end. */
  public String errors() {
    return String.join("\n", err);
  }

  private static Thread collect(InputStream from, BlockingQueue<String> lines) {
    Thread thread =
        new Thread(
            () -> {
              try (var reader =
                  new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                  lines.add(line);
                }
              } catch (IOException e) {
                lines.add("reading failed: " + e);
              }
            });
    thread.start();
    return thread;
  }

  /** Ends the process and waits for it, so that another one may use its files. */
  @Override
  public void close() {
    try {
      process.destroyForcibly().waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
