package gambit.app;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import gambit.core.testkit.Client;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The classes that a relay loads, as Java has them in memory: a program that shares them starts at
 * half the cost. They are archived once for each jar, by whoever needs them first.
 */
final class SharedClasses {
  private static final Path ARCHIVE =
      Path.of("target", "gambit-" + System.getProperty("java.vm.version") + ".jsa")
          .toAbsolutePath();

  /** What Java has to be told to share them; nothing where it cannot. */
  static final List<String> JAVA_OPTIONS = javaOptions();

  private SharedClasses() {}

  private static List<String> javaOptions() {
    try (FileChannel lock = FileChannel.open(Path.of(ARCHIVE + ".lock"), CREATE, WRITE)) {
      lock.lock(); // other processes run tests too
      if (!Files.exists(ARCHIVE) || isOlderThanTheJar()) {
        make();
      }
      return Files.exists(ARCHIVE) ? List.of("-XX:SharedArchiveFile=" + ARCHIVE) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOlderThanTheJar() throws IOException {
    return Files.getLastModifiedTime(ARCHIVE).compareTo(Files.getLastModifiedTime(Program.JAR)) < 0;
  }

  /** Has a relay serve somebody and list what it loads, and archives that. */
  private static void make() throws IOException {
    Files.deleteIfExists(ARCHIVE);
    Path data = Files.createTempDirectory("gambit");
    Path list = data.resolve("classes");
    List<String> options = List.of("-Xshare:off", "-XX:DumpLoadedClassList=" + list);
    try (Program relay = Program.relayWith(options, data)) {
      try (Client client = new Client(relay.url())) {
        client.queryIds("{}");
      }
      relay.metrics();
      relay.terminate().exitStatus();
      if (Files.exists(list)) {
        Files.write(list, Files.readAllLines(list).stream().filter(it -> isArchived(it)).toList());
        archive(list, data);
      }
    } finally {
      try (Stream<Path> files = Files.walk(data)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** Java 17 ends in an error over lambdas of classes that are compiled for Java 5. */
  private static boolean isArchived(String line) {
    return !line.startsWith("@lambda") && !line.startsWith("picocli/");
  }

  private static void archive(Path list, Path data) throws IOException {
    Path made = data.resolve("archive");
    List<String> options =
        List.of(
            "-Xshare:dump",
            "-Xlog:disable",
            "-Xlog:all=off",
            "-XX:+UseSerialGC",
            "-XX:ErrorFile=" + data.resolve("error"),
            "-XX:SharedClassListFile=" + list,
            "-XX:SharedArchiveFile=" + made);
    try (Program java = Program.runWith(options)) {
      if (java.exitStatus() == 0 && Files.exists(made)) {
        Files.move(made, ARCHIVE, StandardCopyOption.ATOMIC_MOVE);
      } else {
        System.out.println("No shared classes: " + java.output() + java.errors());
      }
    }
  }
}
