package gambit.app.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.ChangeLog;
import gambit.core.testkit.Client;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/** The bundles with a Java of their own, unpacked and run on a system that has nothing. */
@ThoroughOnly
class BundleIT {
  private static final long MAX_BYTES = 70_000_000;

  @TempDir private Path directory;

  @Test
  void aUserOfASystemWithoutJavaUnpacksItAndPlaysAndOnlyTheDataIsWritten() throws Exception {
    DockerClient engine = ContainerEngine.require();
    Path bundle = PackageFile.require("gambit-.*-linux-x64\\.tar\\.gz");
    try (LocalImages images = new LocalImages(engine, directory)) {
      String image =
          images.make(
              "gambit-bare:test",
              List.of(),
              "RUN mkdir -p /home/user /tmp && chown 65532:65532 /home/user && chmod 1777 /tmp",
              "USER 65532:65532",
              "WORKDIR /home/user",
              "CMD [\"sleep\", \"infinity\"]");
      try (GenericContainer<?> system =
          new GenericContainer<>(DockerImageName.parse(image))
              .withImagePullPolicy(name -> false)
              .withCopyFileToContainer(MountableFile.forHostPath(bundle), "/bundle.tar.gz")) {
        system.start();
        run(system, "tar -xzf /bundle.tar.gz");
        run(system, "gambit/gambit --data data >data.log 2>&1 &");
        await()
            .atMost(Duration.ofMinutes(3))
            .until(() -> run(system, "cat data.log").contains("listens on"));
        run(system, "cat /proc/[0-9]*/maps 2>/dev/null | grep -q home/user/gambit/classes.jsa");
        Matcher game =
            Pattern.compile("game +([0-9a-f]{64})").matcher(run(system, "gambit/gambit demo"));
        assertThat(game.find()).isTrue();
        assertThat(run(system, "gambit/gambit verify " + game.group(1))).contains("checkmate");
        assertThat(run(system, "find gambit -newer gambit/gambit.jar")).isEmpty();
        Set<String> written =
            engine.containerDiffCmd(system.getContainerId()).exec().stream()
                .map(ChangeLog::getPath)
                .filter(path -> !path.startsWith("/home/user/gambit"))
                .filter(path -> !path.startsWith("/home/user/data"))
                .collect(Collectors.toSet());
        assertThat(written).isSubsetOf("/home", "/home/user", "/tmp", "/bundle.tar.gz");
      }
    }
  }

  /** Runs a command, which must succeed, and returns what it printed. */
  private static String run(GenericContainer<?> system, String command) throws Exception {
    var result = system.execInContainer("bash", "-c", command);
    assertThat(result.getExitCode()).as("%s: %s", command, result).isZero();
    return result.getStdout();
  }

  @Test
  void theDownloadIsSmallAndItsChecksumsAndComponentsAreBesideIt() throws Exception {
    Path bundle = PackageFile.require("gambit-.*-linux-x64\\.tar\\.gz");
    assertThat(Files.size(bundle)).isLessThan(MAX_BYTES);
    Outcome check = Outcome.of(Map.of(), "sh", "-c", "cd target && sha256sum -c SHA256SUMS");
    assertThat(check.status()).as(check.output()).isZero();
    assertThat(check.output()).contains(bundle.getFileName() + ": OK", "_amd64.deb: OK");
    JsonNode sbom =
        Client.parse(Files.readString(PackageFile.require("gambit-.*-linux-x64\\.cdx\\.json")));
    List<String> components = sbom.get("components").findValuesAsText("purl");
    assertThat(components)
        .anyMatch(purl -> purl.startsWith("pkg:generic/openjdk@25"))
        .anyMatch(purl -> purl.startsWith("pkg:maven/org.lmdbjava/native@"));
  }

  @Test
  void theBundleForArm64HasLibrariesForIt() throws Exception {
    Path bundle = PackageFile.require("gambit-.*-linux-arm64\\.tar\\.gz");
    Outcome unpacked =
        Outcome.of(Map.of(), "tar", "-xzf", "" + bundle.toAbsolutePath(), "-C", "" + directory);
    assertThat(unpacked.status()).as(unpacked.output()).isZero();
    for (String file :
        List.of(
            "java/bin/java",
            "native/liblmdb.so",
            "native/libjffi-1.2.so",
            "native/libsecp256k1-jni.so",
            "native/libnetty_transport_native_epoll_aarch_64.so")) {
      byte[] elf = Files.readAllBytes(directory.resolve("gambit").resolve(file));
      assertThat(elf[18] & 0xff).as("machine of %s", file).isEqualTo(183);
    }
  }
}
