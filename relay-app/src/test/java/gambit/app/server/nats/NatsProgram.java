package gambit.app.server.nats;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The program nats-server of this machine: that of the variable {@code NATS_SERVER}, else one on
 * the path that is new enough, else the newest one that {@code .ci/run} has built from its Go
 * module. Nothing is downloaded here.
 */
public final class NatsProgram {
  private static final String VARIABLE = "NATS_SERVER";
  private static final Pattern VERSION = Pattern.compile("v(\\d+)\\.(\\d+)\\.(\\d+)");

  /** The oldest version with which a node does not warn. */
  private static final int OLDEST = 2_012;

  private static final Optional<Path> FOUND = find();

  private NatsProgram() {}

  /** The program; the test is skipped if there is none. */
  public static Path path() {
    assumeTrue(
        FOUND.isPresent(),
        "no nats-server 2.12 or newer: set "
            + VARIABLE
            + ", or build it with Go (.ci/run does, docs/testing.md)");
    return FOUND.get();
  }

  private static Optional<Path> find() {
    String given = System.getenv(VARIABLE);
    if (given != null && !given.isEmpty()) {
      return Optional.of(Path.of(given));
    }
    for (String directory : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
      Path program = Path.of(directory).resolve("nats-server");
      if (Files.isExecutable(program) && version(output(program)) >= OLDEST) {
        return Optional.of(program);
      }
    }
    return newestBuilt();
  }

  private static Optional<Path> newestBuilt() {
    String cache = System.getenv("XDG_CACHE_HOME");
    Path root =
        cache == null || cache.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(cache);
    List<Path> built = new ArrayList<>();
    try (Stream<Path> versions = Files.list(root.resolve("gambit/nats-server"))) {
      versions.map(it -> it.resolve("nats-server")).filter(Files::isExecutable).forEach(built::add);
    } catch (IOException e) {
      return Optional.empty();
    }
    return built.stream().max(Comparator.comparingInt(it -> version(it.getParent() + "")));
  }

  /** Major version by 1000 and minor version; 0 without one. */
  private static int version(String text) {
    Matcher version = VERSION.matcher(text);
    return version.find()
        ? 1000 * Integer.parseInt(version.group(1)) + Integer.parseInt(version.group(2))
        : 0;
  }

  private static String output(Path program) {
    try {
      Process process =
          new ProcessBuilder(program.toString(), "--version").redirectErrorStream(true).start();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }
}
