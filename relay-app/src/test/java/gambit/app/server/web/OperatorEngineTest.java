package gambit.app.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.net.WebPage;
import gambit.core.net.WebPage.WebFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorEngineTest {
  @TempDir private Path directory;

  private Path file(String name) throws IOException {
    return Files.writeString(directory.resolve(name), "content of " + name);
  }

  @Test
  void theFilesBesideAScriptAreServedWithTheirTypes() throws IOException {
    Path script = file("fish.js");
    Path module = file("fish.wasm");
    file("key.pem");
    file(".hidden.js");
    file("white space.js");
    Files.createDirectory(directory.resolve("more"));
    List<Path> files = OperatorEngine.files(directory);
    assertThat(files).containsExactly(script, module);
    assertThat(OperatorEngine.files(script)).isEqualTo(files);
    WebPage page = PackagedPage.of(true, files);
    assertThat(page.files().keySet()).filteredOn(it -> it.startsWith("/engine/")).hasSize(2);
    WebFile served = Objects.requireNonNull(page.files().get("/engine/fish.wasm"));
    assertThat(served.type()).isEqualTo("application/wasm");
    assertThat(served.isUnchanging()).isFalse();
    assertThat(StandardCharsets.UTF_8.decode(served.content().duplicate()).toString())
        .isEqualTo("content of fish.wasm");
    assertThat(Objects.requireNonNull(page.files().get("/engine/fish.js")).type())
        .startsWith("text/javascript");
    assertThat(PackagedPage.of(false, files)).isEqualTo(WebPage.NONE);
  }

  @Test
  void aScriptAmongSeveralIsNamed() throws IOException {
    file("other.js");
    Path script = file("fish.js");
    assertThat(OperatorEngine.files(script).get(0)).isEqualTo(script);
    assertRefused(directory, "expected a file *.js, or a directory with one");
  }

  @Test
  void whatIsNoEngineIsRefused() throws IOException {
    assertRefused(directory, "expected a file *.js, or a directory with one");
    assertRefused(directory.resolve("none.js"), "expected a file *.js");
    assertRefused(directory.resolve("none/none.js"), "expected a file, or a directory");
    assertRefused(file("fish.wasm"), "expected a file *.js");
  }

  @Test
  void filesOfMoreThanTheLimitAreRefused() throws IOException {
    file("fish.js");
    try (RandomAccessFile large =
        new RandomAccessFile(directory.resolve("fish.nnue").toFile(), "rw")) {
      large.setLength(OperatorEngine.MAX_BYTES);
    }
    assertRefused(directory, "expected at most 128 MiB of files");
  }

  private static void assertRefused(Path place, String expected) {
    assertThatThrownBy(() -> OperatorEngine.files(place))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(expected);
  }
}
