package gambit.app.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.GambitProcess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of the packages that can be tested without installing any. */
class PackageFilesIT {
  private static final Path FILES = Path.of("src/packaging");

  @TempDir private Path directory;

  @Test
  void theJarHasTheNativeLibrariesOfBothArchitecturesOfTheImage() throws Exception {
    try (ZipFile jar = new ZipFile(GambitProcess.JAR.toFile())) {
      for (String machine : List.of("x86_64", "aarch64")) {
        String netty = machine.equals("aarch64") ? "aarch_64" : machine;
        assertThat(
                List.of(
                    "org/lmdbjava/native/" + machine + "-linux-gnu.so",
                    "fr/acinq/secp256k1/jni/native/linux-" + machine + "/libsecp256k1-jni.so",
                    "META-INF/native/libnetty_transport_native_epoll_" + netty + ".so",
                    "jni/" + machine + "-Linux/libjffi-1.2.so"))
            .allSatisfy(name -> assertThat(jar.getEntry(name)).as(name).isNotNull());
      }
    }
  }

  @Test
  void theUnitsExposureIsBelowTwo() throws Exception {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/systemd-analyze")),
        "systemd-analyze is not installed");
    // The threshold is in tenths; the command fails above it.
    Outcome review =
        Outcome.of(
            Map.of(),
            "systemd-analyze",
            "security",
            "--offline=yes",
            "--threshold=19",
            "--no-pager",
            "" + FILES.resolve("systemd/gambit.service"));
    assertThat(review.output()).contains("Overall exposure level");
    assertThat(review.status()).as(review.output()).isZero();
  }

  @Test
  void theCompletionKnowsCommandsAndTheirOptions() throws Exception {
    assertThat(completed("gambit", "ver")).contains("verify");
    assertThat(completed("gambit", "play", "--wat")).contains("--watch");
  }

  /** The completions of the last word. */
  private static String completed(String... words) throws Exception {
    String line = String.join(" ", words);
    Outcome outcome =
        Outcome.of(
            Map.of(),
            "bash",
            "-c",
            "source target/manual/gambit.bash; COMP_WORDS=("
                + line
                + "); COMP_CWORD="
                + (words.length - 1)
                + "; COMP_LINE='"
                + line
                + "'; _complete_gambit; echo \"${COMPREPLY[@]}\"");
    return outcome.output();
  }

  @Test
  void theManualDescribesEveryOptionOfTheRelayAndEveryCommand() throws Exception {
    String page =
        new String(
            new GZIPInputStream(
                    new ByteArrayInputStream(
                        Files.readAllBytes(Path.of("target/manual/gambit.1.gz"))))
                .readAllBytes(),
            StandardCharsets.UTF_8);
    assertThat(page)
        .contains(".SH OPTIONS OF THE RELAY", "\\-\\-listen", "\\-\\-set", ".TH GAMBIT 1");
    for (String command : List.of("play", "bot", "demo", "verify", "check", "backup", "restore")) {
      assertThat(page).contains(".SS gambit " + command + "\n");
    }
    assertThat(page).doesNotContain("@|", "%n", "${");
  }

  @Test
  void theLaunchScriptGivesTheRelayABoundedHeapAndLetsTheOperatorOverrideIt() throws Exception {
    Path script = scriptWithJava("17.0.15");
    assertThat(Outcome.of(Map.of("JAVA_OPTS", "-Xmx1g -Dx=y"), "" + script, "--port", "0").output())
        .containsPattern(
            "-XX:\\+UseSerialGC -Xms\\d+m -XX:NewSize=\\d+m -XX:MaxNewSize=\\d+m -XX:NewRatio=1"
                + " -Xmx\\d+m -XX:SurvivorRatio=6 -XX:MetaspaceSize=64m"
                + " -XX:FreqInlineSize=150 -XX:InlineSmallCode=1200"
                + " -XX:\\+ExitOnOutOfMemoryError( -XX:TrimNativeHeapInterval=5000)? -Xmx1g -Dx=y"
                + " -jar .*/gambit.jar --port 0$")
        .doesNotContain("UseCompactObjectHeaders");
    assertThat(Outcome.of(Map.of(), "" + script, "verify", "--help").output())
        .contains("-XX:+UseSerialGC")
        .doesNotContain("-Xmx");
  }

  /** Versions before these do not know the option, and would not start. */
  @Test
  void theLaunchScriptHasFreedMemoryReturnedByTheVersionsOfJavaThatCan() throws Exception {
    for (String version : List.of("17", "17.0.4.1", "17.0.9", "20.0.2", "21", "21.0.1")) {
      assertThat(Outcome.of(Map.of(), "" + scriptWithJava(version)).output())
          .contains("-XX:ArchiveRelocationMode=0")
          .doesNotContain("TrimNativeHeapInterval");
    }
  }

  @Test
  void theLaunchScriptUsesCompactObjectHeadersSinceJava25() throws Exception {
    assertThat(Outcome.of(Map.of(), "" + scriptWithJava("25"), "@arguments").output())
        .contains("-XX:+UseCompactObjectHeaders", "gambit.jar @arguments");
  }

  @Test
  void theLaunchScriptPassesOverAJavaThatIsTooOld() throws Exception {
    Path script = scriptWithJava("11.0.2");
    assertThat(Outcome.of(Map.of(), "" + script, "--version").output())
        .doesNotStartWith("java called with");
  }

  @Test
  void aBundleSaysThatItNeedsGlibcWhereThatIsMissing() throws Exception {
    Path script = scriptWithJava("25.0.3");
    Files.writeString(script, Files.readString(script).replace("/lib*/ld-linux-", "/none/ld-"));
    assertThat(Outcome.of(Map.of(), "" + script, "--version"))
        .isEqualTo(
            new Outcome(
                1, "gambit: this bundle needs glibc, which this system lacks (as Alpine does)."));
  }

  /** The script beside a Java of this version, which prints its arguments. */
  private Path scriptWithJava(String version) throws IOException {
    Path java = Files.createDirectories(directory.resolve("java/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho java called with \"$@\"\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(directory.resolve("java/release"), "JAVA_VERSION=\"" + version + "\"\n");
    Path script = directory.resolve("gambit");
    Files.copy(FILES.resolve("gambit"), script, StandardCopyOption.REPLACE_EXISTING);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    return script;
  }
}
