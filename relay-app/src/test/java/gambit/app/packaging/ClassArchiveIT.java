package gambit.app.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.GambitProcess;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archive of classes beside the launch script: made, used, and passed over when it is wrong.
 */
@ThoroughOnly
class ClassArchiveIT {
  private static final Map<String, String> JAVA =
      Map.of("JAVA_HOME", System.getProperty("java.home"));

  @TempDir private static Path made;

  @TempDir private Path directory;

  @BeforeAll
  static void make() throws Exception {
    install(made);
    Files.createSymbolicLink(made.resolve("gambit.jar"), GambitProcess.JAR);
    Outcome outcome = Outcome.of(JAVA, script(made), "class-archive");
    assertThat(outcome).isEqualTo(new Outcome(0, ""));
  }

  private static void install(Path home) throws IOException {
    Path script = Files.copy(Path.of("src/packaging/gambit"), home.resolve("gambit"));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static String script(Path home) {
    return home.resolve("gambit").toString();
  }

  private static List<String> filesOf(Path home) throws IOException {
    try (Stream<Path> files = Files.list(home)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void commandsAndTheRelayTakeTheirClassesFromTheArchive() throws Exception {
    assertThat(filesOf(made)).containsExactly("classes.jsa", "gambit", "gambit.jar");
    Map<String, String> listing =
        Map.of("JAVA_HOME", System.getProperty("java.home"), "JAVA_OPTS", "-Xlog:class+load");
    for (String argumentOfRelay : List.of("--help", "--new-key")) {
      assertThat(Outcome.of(listing, script(made), argumentOfRelay, "--version").output())
          .as(argumentOfRelay)
          .containsPattern("gambit\\.app\\.Main source: shared objects file")
          .containsPattern("picocli\\.CommandLine source: shared objects file");
    }
  }

  @Test
  void aDamagedArchiveIsPassedOverSilently() throws Exception {
    install(directory);
    Files.createSymbolicLink(directory.resolve("gambit.jar"), GambitProcess.JAR);
    Outcome expected = Outcome.of(JAVA, script(directory), "--version");
    assertThat(expected.output()).matches("gambit \\S+");
    byte[] archive = Files.readAllBytes(made.resolve("classes.jsa"));
    byte[] zeros = new byte[archive.length];
    for (byte[] damaged : List.of(new byte[0], zeros, Arrays.copyOf(archive, archive.length / 2))) {
      Files.write(directory.resolve("classes.jsa"), damaged);
      assertThat(Outcome.of(JAVA, script(directory), "--version")).isEqualTo(expected);
    }
  }

  @Test
  void anArchiveOfAnotherJarIsPassedOverSilently() throws Exception {
    Path jar = made.resolve("gambit.jar");
    Outcome expected = Outcome.of(JAVA, script(made), "--version");
    Files.delete(jar);
    try {
      Files.copy(GambitProcess.JAR, jar); // with another time
      assertThat(Outcome.of(JAVA, script(made), "--version")).isEqualTo(expected);
    } finally {
      Files.delete(jar);
      Files.createSymbolicLink(jar, GambitProcess.JAR);
    }
  }

  @Test
  void whereNoArchiveCanBeMadeTheOldOneIsGoneAndTheReasonIsPrinted() throws Exception {
    install(directory);
    Files.write(directory.resolve("classes.jsa"), new byte[1]);
    Outcome outcome = Outcome.of(JAVA, script(directory), "class-archive");
    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.output())
        .startsWith("gambit: no archive of classes was made")
        .contains("jar");
    assertThat(filesOf(directory)).containsExactly("gambit");
  }
}
