import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * A step of the build: builds the web page in {@code clients} with npm, and puts its files,
 * compressed, with a list of their paths, where they are packaged. Without npm it says so in a line,
 * and the jar has no page. It is run from its source, and does nothing if nothing has changed.
 *
 * <p>Arguments: the directory {@code clients}, the directory for the files, a directory for notes
 * from one build to the next, and whether a page that cannot be built fails the build. Only such a
 * page's types and sentences are checked: they change no byte of it.
 */
final class WebPageBuild {
  /** The oldest Node that Vite supports. */
  private static final int[] OLDEST_NODE = {20, 19};

  private static final long TIMEOUT_MINUTES = 10;
  private static final boolean IS_WINDOWS = System.getProperty("os.name").startsWith("Windows");

  private final Path clients;
  private final Path target;
  private final Path notes;
  private final Path builtFrom;

  private WebPageBuild(Path clients, Path target, Path notes) {
    this.clients = clients;
    this.target = target;
    this.notes = notes;
    this.builtFrom = notes.resolve("page.sha256");
  }

  public static void main(String[] args) throws Exception {
    WebPageBuild build = new WebPageBuild(Path.of(args[0]), Path.of(args[1]), Path.of(args[2]));
    boolean isRequired = Boolean.parseBoolean(args[3]);
    if (build.isUpToDate()) {
      return;
    }
    String obstacle = build.obstacle();
    if (obstacle == null) {
      String failure = build.run(isRequired ? "build" : "bundle");
      if (failure != null && isRequired) {
        System.err.println("The web page cannot be built:\n" + failure);
        System.exit(1);
      }
      obstacle = failure == null ? null : failure.strip().lines().reduce("", (a, b) -> b);
    }
    if (obstacle != null) {
      delete(build.target); // a page of an earlier build
      System.out.println(
          "The jar gets no web page: " + obstacle + ". Everything else works without it.");
    }
  }

  /** Why a page cannot be built on this machine; null if it can. */
  private String obstacle() throws Exception {
    Result node = execute(List.of("node", "--version"), clients);
    if (!node.isSuccess()) {
      return "Node is not installed";
    }
    String[] version = node.output().strip().replaceFirst("^v", "").split("\\.");
    int major = Integer.parseInt(version[0]);
    int minor = Integer.parseInt(version[1]);
    if (major < OLDEST_NODE[0] || (major == OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
      return "it needs Node 20.19 or newer, and this is " + node.output().strip();
    }
    return execute(npm("--version"), clients).isSuccess() ? null : "npm is not installed";
  }

  /** Whether the packaged page was built from the sources as they are. */
  private boolean isUpToDate() throws Exception {
    return Files.exists(target.resolve("files.txt"))
        && Files.exists(builtFrom)
        && Files.readString(builtFrom).equals(sources());
  }

  /** Builds the page by a script of npm, and packages it; returns what failed, or null. */
  private String run(String script) throws Exception {
    String sources = sources();
    if (!isInstalled()) {
      Result install = execute(npm("ci", "--no-audit", "--no-fund", "--ignore-scripts"), clients);
      if (!install.isSuccess()) {
        return install.output();
      }
    }
    Result result = execute(npm("run", "--silent", script), clients);
    if (!result.isSuccess()) {
      return result.output();
    }
    pack(clients.resolve("web").resolve("dist"));
    Files.createDirectories(notes);
    Files.writeString(builtFrom, sources);
    return null;
  }

  /** Whether npm has installed the packages since their list changed: it ends with a list of its own. */
  private boolean isInstalled() throws IOException {
    Path installed = clients.resolve("node_modules").resolve(".package-lock.json");
    return Files.exists(installed)
        && Files.getLastModifiedTime(clients.resolve("package-lock.json"))
                .compareTo(Files.getLastModifiedTime(installed))
            <= 0;
  }

  private void pack(Path page) throws IOException {
    delete(target);
    List<String> names = new ArrayList<>();
    for (Path file : filesIn(page)) {
      String name = page.relativize(file).toString().replace('\\', '/');
      Path packed = target.resolve(name + ".gz");
      Files.createDirectories(packed.getParent());
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
        Files.copy(file, out);
      }
      names.add(name);
    }
    Files.writeString(target.resolve("files.txt"), String.join("\n", names));
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      for (Path file : filesIn(directory)) {
        Files.delete(file);
      }
    }
  }

  /** A hash of everything from which the page is built. */
  private String sources() throws Exception {
    List<Path> files = filesIn(clients);
    Path engine = clients.resolve("../relay-chess/target/engine/engine.wasm");
    if (Files.exists(engine)) {
      files.add(engine);
    }
    return hash(files);
  }

  private static String hash(List<Path> files) throws Exception {
    MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
    for (Path file : files) {
      sha256.update(file.toString().getBytes(UTF_8));
      sha256.update(Files.readAllBytes(file));
    }
    return HexFormat.of().formatHex(sha256.digest());
  }

  /** The files in a directory, in order, without installed packages and results of builds. */
  private static List<Path> filesIn(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      List<Path> files = new ArrayList<>();
      for (Path entry : entries.sorted().collect(Collectors.toList())) {
        String name = entry.getFileName().toString();
        if (!Files.isDirectory(entry)) {
          files.add(entry);
        } else if (!name.equals("node_modules") && !name.startsWith("dist") && !name.equals("browser-tests")) {
          files.addAll(filesIn(entry));
        }
      }
      return files;
    }
  }

  private static List<String> npm(String... arguments) {
    List<String> command = new ArrayList<>(List.of(IS_WINDOWS ? "npm.cmd" : "npm"));
    command.addAll(List.of(arguments));
    return command;
  }

  private record Result(boolean isSuccess, String output) {}

  private Result execute(List<String> command, Path directory) throws Exception {
    Files.createDirectories(notes);
    Path output = notes.resolve("output.txt");
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
    } catch (IOException e) {
      return new Result(false, e.getMessage());
    }
    boolean inTime = process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES);
    if (!inTime) {
      process.destroyForcibly();
    }
    return new Result(inTime && process.exitValue() == 0, Files.readString(output));
  }
}
