package gambit.app.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.GambitProcess;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The cache of classes and profiles that the launch script makes for the relay with Java 25, if
 * that is installed.
 */
@ThoroughOnly
class RelayCacheIT {
  private static final List<String> RELAY_PRINTS_ITS_VERSION = List.of("--new-key", "--version");

  @TempDir private static Path home;

  private static String java;

  @BeforeAll
  static void make() throws Exception {
    Path directory = InstalledJava.of(25).orElse(null);
    Assumptions.assumeTrue(directory != null, "Java 25 is not installed");
    java = directory.toString();
    Path script = Files.copy(Path.of("src/packaging/gambit"), home.resolve("gambit"));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createSymbolicLink(home.resolve("gambit.jar"), GambitProcess.JAR);
    assertThat(run("", List.of("class-archive"))).isEqualTo(new Outcome(0, ""));
    assertThat(home.resolve("classes.jsa")).isNotEmptyFile();
    assertThat(home.resolve("relay.aot")).isNotEmptyFile();
  }

  private static Outcome run(String options, List<String> arguments) throws Exception {
    String[] command = new String[arguments.size() + 1];
    command[0] = home.resolve("gambit").toString();
    for (int i = 0; i < arguments.size(); i++) {
      command[i + 1] = arguments.get(i);
    }
    return Outcome.of(
        Map.of("JAVA_HOME", java, "JAVA_OPTS", options, "TRAINING_SECONDS", "0.5"), command);
  }

  /**
   * In that mode, Java does not start without the cache that it was given. With code in it, Java 25
   * would run that on a processor that lacks its instructions.
   */
  @Test
  void theRelayTakesItsClassesFromTheCacheWhichHasNoCodeForTheProcessorOfThisMachine()
      throws Exception {
    Outcome outcome =
        run(
            "-XX:AOTMode=on -Xlog:class+load -Xlog:aot=info,aot+codecache+init=debug",
            RELAY_PRINTS_ITS_VERSION);
    assertThat(outcome.status()).isZero();
    assertThat(outcome.output())
        .containsPattern("gambit\\.core\\.ingest\\.Writer source: shared objects file")
        .contains("Using AOT-linked classes: true")
        .doesNotContain("AOT code entries", "(Code)");
  }

  @Test
  void theCacheHasProfilesOfTheMethodsThatTheTrainingUsed() throws Exception {
    Outcome outcome =
        run("-XX:+UnlockDiagnosticVMOptions -XX:+AOTPrintTrainingInfo", RELAY_PRINTS_ITS_VERSION);
    for (String method :
        List.of(
            "ingest/Writer\\S*\\.collect",
            "wire/EventReader",
            "store/disk/DiskTransaction\\S*\\.append",
            "session/StoredPhase",
            "live/SubscriptionIndex")) {
      assertThat(outcome.output()).containsPattern(" M gambit/core/" + method + ".* mdo=0x");
    }
  }

  @Test
  void commandsTakeTheirClassesFromTheArchive() throws Exception {
    assertThat(run("-Xlog:class+load", List.of("--help")).output())
        .containsPattern("picocli\\.CommandLine source: shared objects file");
  }

  /** Java 25 warns of the method by which files are unmapped. */
  @Test
  void aCommandThatOpensAStorePrintsNoWarnings() throws Exception {
    Path events = Files.createFile(home.resolve("none.jsonl"));
    String data = home.resolve("data").toString();
    Outcome outcome = run("", List.of("import", "--data", data, events.toString()));
    assertThat(outcome.status()).isZero();
    assertThat(outcome.output()).doesNotContain("WARNING");
  }

  @Test
  void aDamagedCacheIsPassedOverSilently() throws Exception {
    Path cache = home.resolve("relay.aot");
    byte[] made = Files.readAllBytes(cache);
    try {
      for (byte[] damaged :
          List.of(new byte[0], new byte[made.length], Arrays.copyOf(made, made.length / 2))) {
        Files.write(cache, damaged);
        Outcome outcome = run("", RELAY_PRINTS_ITS_VERSION);
        assertThat(outcome.status()).isZero();
        assertThat(outcome.output()).matches("gambit \\S+");
      }
    } finally {
      Files.write(cache, made);
    }
  }
}
