package gambit.app.packaging;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.GambitProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archive of classes that the build makes beside the launch script: used, and passed over when
 * it is wrong. Each test has a directory of its own with links to what the build has made.
 */
class ClassArchiveIT {
  private static final Map<String, String> JAVA =
      Map.of("JAVA_HOME", System.getProperty("java.home"));

  private static final Map<String, String> LISTING =
      Map.of("JAVA_HOME", System.getProperty("java.home"), "JAVA_OPTS", "-Xlog:class+load");

  private static final String FROM_ARCHIVE = "gambit\\.app\\.Main source: shared objects file";

  @TempDir private Path directory;

  /** The launch script, copied, since it takes the other files from its own directory. */
  private String script() throws IOException {
    Path script = directory.resolve("gambit");
    Files.copy(GambitProcess.SCRIPT, script, COPY_ATTRIBUTES);
    return script.toString();
  }

  private void link(String file) throws IOException {
    Files.createSymbolicLink(directory.resolve(file), GambitProcess.DIRECTORY.resolve(file));
  }

  @Test
  void commandsAndTheRelayTakeTheirClassesFromTheArchive() throws Exception {
    for (String argumentOfRelay : List.of("--help", "--new-key")) {
      String script = GambitProcess.SCRIPT.toString();
      assertThat(Outcome.of(LISTING, script, argumentOfRelay, "--version").output())
          .as(argumentOfRelay)
          .containsPattern(FROM_ARCHIVE)
          .containsPattern("picocli\\.CommandLine source: shared objects file");
    }
  }

  @Test
  void aDamagedArchiveIsPassedOverSilently() throws Exception {
    String script = script();
    link("gambit.jar");
    byte[] archive = Files.readAllBytes(GambitProcess.DIRECTORY.resolve("classes.jsa"));
    byte[] zeros = new byte[archive.length];
    for (byte[] damaged : List.of(new byte[0], zeros, Arrays.copyOf(archive, archive.length / 2))) {
      Files.write(directory.resolve("classes.jsa"), damaged);
      Outcome outcome = Outcome.of(JAVA, script, "--version");
      assertThat(outcome.status()).isZero();
      assertThat(outcome.output()).matches("gambit \\S+");
    }
  }

  @Test
  void anArchiveOfAnotherJarIsPassedOverSilently() throws Exception {
    String script = script();
    Files.copy(GambitProcess.JAR, directory.resolve("gambit.jar")); // with another time
    link("classes.jsa");
    assertThat(Outcome.of(JAVA, script, "--version").output()).matches("gambit \\S+");
    assertThat(Outcome.of(LISTING, script, "--version").output())
        .contains(" gambit.app.Main ")
        .doesNotContainPattern(FROM_ARCHIVE);
  }

  /** Java 17 compares the path of the jar, and newer ones its name, size and time only. */
  @Test
  void aCopiedDirectoryRunsAndSinceJava21WithItsArchive() throws Exception {
    Outcome copied =
        Outcome.of(Map.of(), "cp", "-a", GambitProcess.DIRECTORY + "/.", directory.toString());
    assertThat(copied).isEqualTo(new Outcome(0, ""));
    String script = directory.resolve("gambit").toString();
    assertThat(Outcome.of(JAVA, script, "--version").output()).matches("gambit \\S+");
    String loaded = Outcome.of(LISTING, script, "--version").output();
    if (Runtime.version().feature() >= 21) {
      assertThat(loaded).containsPattern(FROM_ARCHIVE);
    }
  }

  @Test
  void whereNoArchiveCanBeMadeTheOldOneIsGoneAndTheReasonIsPrinted() throws Exception {
    String script = script();
    Files.write(directory.resolve("classes.jsa"), new byte[1]);
    Outcome outcome = Outcome.of(JAVA, script, "class-archive");
    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.output())
        .startsWith("gambit: no archive of classes was made")
        .contains("jar")
        .doesNotContain("\n");
    assertThat(directory.resolve("classes.jsa")).doesNotExist();
  }
}
