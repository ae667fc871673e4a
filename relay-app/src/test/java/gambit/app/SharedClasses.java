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

  /** Has a relay serve somebody, and write down what it has loaded when it ends. */
  private static void make() throws IOException {
    Files.deleteIfExists(ARCHIVE);
    Path data = Files.createTempDirectory("gambit");
    Path made = data.resolve("classes.jsa");
    List<String> options = List.of("-Xlog:disable", "-XX:ArchiveClassesAtExit=" + made);
    try (Program relay = Program.relayWith(options, data)) {
      try (Client client = new Client(relay.url())) {
        client.served("{}");
      }
      relay.metrics();
      relay.terminate().exitStatus();
      if (Files.exists(made)) {
        Files.move(made, ARCHIVE, StandardCopyOption.ATOMIC_MOVE);
      }
    } finally {
      try (Stream<Path> files = Files.walk(data)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
