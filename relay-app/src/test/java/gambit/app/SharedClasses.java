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
 * An archive of the classes that a relay loads (class data sharing), which halves the cost of a
 * start. The first test process that needs it creates it, once for each jar.
 */
final class SharedClasses {
  private static final Path ARCHIVE =
      Path.of("target", "gambit-" + System.getProperty("java.vm.version") + ".jsa")
          .toAbsolutePath();

  /** The options with which Java uses the archive; empty if it cannot be created. */
  static final List<String> JAVA_OPTIONS = javaOptions();

  private SharedClasses() {}

  private static List<String> javaOptions() {
    try (FileChannel lock = FileChannel.open(Path.of(ARCHIVE + ".lock"), CREATE, WRITE)) {
      lock.lock(); // other processes run tests too
      if (!Files.exists(ARCHIVE) || isOlderThanTheJar()) {
        create();
      }
      return Files.exists(ARCHIVE) ? List.of("-XX:SharedArchiveFile=" + ARCHIVE) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOlderThanTheJar() throws IOException {
    return Files.getLastModifiedTime(ARCHIVE)
            .compareTo(Files.getLastModifiedTime(GambitProcess.JAR))
        < 0;
  }

  /** Runs a relay with a client, lists the classes that it loads, and archives them. */
  private static void create() throws IOException {
    Files.deleteIfExists(ARCHIVE);
    Path data = Files.createTempDirectory("gambit");
    Path list = data.resolve("classes");
    List<String> options =
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:off",
            "-XX:DumpLoadedClassList=" + list);
    try (GambitProcess relay = GambitProcess.relayWith(options, data)) {
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

  /** Java 17 fails to archive lambdas of classes that are compiled for Java 5. */
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
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:ErrorFile=" + data.resolve("error"),
            "-XX:SharedClassListFile=" + list,
            "-XX:SharedArchiveFile=" + made);
    try (GambitProcess java = GambitProcess.runWith(options)) {
      if (java.exitStatus() == 0 && Files.exists(made)) {
        Files.move(made, ARCHIVE, StandardCopyOption.ATOMIC_MOVE);
      } else {
        System.out.println("No shared classes: " + java.output() + java.errors());
      }
    }
  }
}
