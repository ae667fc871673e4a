package gambit.app.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.GambitProcess;
import gambit.core.testkit.Client;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** The software bill of materials in the jar (CycloneDX) is correct and complete. */
class SbomIT {
  private static final String SBOM_PATH = "META-INF/sbom/gambit.cdx.json";

  @Test
  void theSbomListsExactlyTheComponentsOfTheJar() throws Exception {
    Map<String, Path> artifacts = artifactsByHash();
    try (JarFile jar = new JarFile(GambitProcess.JAR.toFile())) {
      Set<String> shaded = entries(jar);
      Set<String> explained = new HashSet<>();
      for (JsonNode component : sbom(jar).get("components")) {
        Path artifact = artifacts.get(sha256(component));
        assertThat(artifact).as("the artifact of %s", component.get("purl")).isNotNull();
        try (JarFile its = new JarFile(artifact.toFile())) {
          Set<String> entries = entries(its);
          if (!entries.isEmpty()) { // otherwise a component without classes
            assertThat(shaded).as("%s", component.get("purl")).containsAnyElementsOf(entries);
          }
          explained.addAll(entries);
        }
      }
      assertThat(shaded)
          .allMatch(name -> explained.contains(name) || name.startsWith("gambit/app/"));
    }
  }

  @Test
  void theManifestNamesTheSbomWhichHasNoTraceOfTimeOrPlaceOfTheBuild() throws Exception {
    try (JarFile jar = new JarFile(GambitProcess.JAR.toFile())) {
      var manifest = jar.getManifest().getMainAttributes();
      assertThat(manifest.getValue("Sbom-Location")).isEqualTo(SBOM_PATH);
      assertThat(manifest.getValue("Sbom-Format")).isEqualTo("CycloneDX");
      JsonNode sbom = sbom(jar);
      assertThat(sbom.get("bomFormat").asText()).isEqualTo("CycloneDX");
      assertThat(sbom.at("/metadata/component/name").asText()).isEqualTo("relay-app");
      assertThat(sbom.at("/metadata/component/version").asText())
          .isEqualTo(manifest.getValue("Implementation-Version"));
      assertThat(sbom.has("serialNumber")).isFalse();
      assertThat(sbom.toString()).doesNotContain(System.getProperty("user.home") + "/", "/target/");
    }
  }

  private static JsonNode sbom(JarFile jar) throws IOException {
    assertThat(jar.getEntry(SBOM_PATH)).as("the SBOM; mvn -o omits it").isNotNull();
    byte[] json = jar.getInputStream(jar.getEntry(SBOM_PATH)).readAllBytes();
    return Client.parse(new String(json, StandardCharsets.UTF_8));
  }

  private static String sha256(JsonNode component) {
    for (JsonNode hash : component.get("hashes")) {
      if (hash.get("alg").asText().equals("SHA-256")) {
        return hash.get("content").asText();
      }
    }
    throw new AssertionError("no SHA-256: " + component);
  }

  /** The jars on the class path of the tests, which include those of the program. */
  private static Map<String, Path> artifactsByHash() throws IOException, NoSuchAlgorithmException {
    Map<String, Path> artifacts = new HashMap<>();
    MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
    for (String each : List.of(System.getProperty("java.class.path").split(File.pathSeparator))) {
      Path path = Path.of(each);
      if (Files.isRegularFile(path)) {
        artifacts.put(HexFormat.of().formatHex(sha256.digest(Files.readAllBytes(path))), path);
      }
    }
    return artifacts;
  }

  /** Classes and native libraries; other entries may be merged or omitted in the jar. */
  private static Set<String> entries(JarFile jar) {
    return jar.stream()
        .filter(entry -> !entry.isDirectory())
        .map(ZipEntry::getName)
        .filter(name -> name.matches(".*\\.(class|so|dll|dylib|jnilib)"))
        .collect(Collectors.toSet());
  }
}
