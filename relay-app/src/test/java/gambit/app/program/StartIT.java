package gambit.app.program;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.GambitProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start loads. Most of its processor time is that of classes, and of code that is new. */
class StartIT {
  /** Some 2,250 were measured, of the jar and without lambdas; 2,740 before this test. */
  private static final int MAX_CLASSES = 2_400;

  @TempDir Path directory;

  private Path log() {
    return directory.resolve("classes");
  }

  private List<String> logging() {
    return List.of("-Xlog:class+load:file=" + log());
  }

  private List<String> loaded() throws IOException {
    return Files.readAllLines(log()).stream()
        .map(line -> line.replaceFirst("^.*\\] ", "").replaceFirst(" .*", ""))
        .filter(name -> !name.matches("(java|javax|jdk|sun|com\\.sun)\\..*|.*\\$\\$Lambda.*"))
        .toList();
  }

  @Test
  void aRelayLoadsNoMoreThanItNeeds() throws Exception {
    String admin = "management.admins=" + "1".repeat(64); // without one, a link is made and stored
    try (GambitProcess relay =
        GambitProcess.relayWith(logging(), directory.resolve("data"), "--set", admin)) {
      assertThat(relay.isRunning()).isTrue();
    }
    List<String> classes = loaded();
    assertThat(classes).hasSizeBetween(1_000, MAX_CLASSES);
    assertThat(classes)
        .noneMatch(
            name ->
                name.matches(
                    "org\\.apache\\.lucene\\..*"
                        + "|io\\.nats\\..*"
                        + "|com\\.fasterxml\\.jackson\\.databind\\.ObjectMapper"
                        + "|io\\.micrometer\\.core\\.instrument\\.binder\\.jvm\\.Jvm.*"
                        + "|io\\.netty\\.channel\\.nio\\.NioIoHandler"
                        + "|io\\.netty\\.buffer\\.AllocateChunkEvent"));
  }

  @Test
  void theVersionIsPrintedWithoutTheLibraryOfTheCommandLine() throws Exception {
    try (GambitProcess version = GambitProcess.runWith(logging(), "--version")) {
      assertThat(version.exitStatus()).isZero();
    }
    assertThat(loaded())
        .contains("gambit.app.Main")
        .noneMatch(name -> name.startsWith("picocli."))
        .hasSizeLessThan(100);
  }
}
