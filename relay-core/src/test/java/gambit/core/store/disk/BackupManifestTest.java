package gambit.core.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import gambit.core.store.disk.BackupManifest.Copy;
import gambit.core.store.disk.log.Segment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackupManifestTest {
  private static final String SHA = "ab".repeat(32);
  private static final BackupManifest MANIFEST =
      new BackupManifest(
          3,
          Instant.parse("2026-11-23T03:00:00Z"),
          "gambit event store 1",
          1 << 20,
          7,
          List.of(
              new Copy(true, 1, 1 << 20, SHA, Segment.fileName(0, 0)),
              new Copy(false, 3, 65, SHA, "my list.txt")));

  private static String text() {
    return new String(MANIFEST.encode(), StandardCharsets.UTF_8);
  }

  private static BackupManifest parse(String text) throws IOException {
    return BackupManifest.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String withChecksum(String lines) {
    String checksum = ContentReader.hash(lines.getBytes(StandardCharsets.UTF_8));
    return lines + "checksum " + checksum + "\n";
  }

  private static String lines() {
    String text = text();
    return text.substring(0, text.indexOf("checksum"));
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    assertThat(parse(text())).isEqualTo(MANIFEST);
    assertThat(MANIFEST.fileNames())
        .containsExactlyInAnyOrder("0000000000000000-00000000.log.1", "my list.txt.3");
  }

  @Test
  void anyChangedCharacterIsFound() {
    String text = text();
    for (int i = 0; i < text.length(); i++) {
      String changed = text.substring(0, i) + (char) (text.charAt(i) ^ 1) + text.substring(i + 1);
      assertThatIOException().as("character %s", i).isThrownBy(() -> parse(changed));
    }
    assertThatIOException().isThrownBy(() -> parse(""));
    assertThatIOException().isThrownBy(() -> parse(text + "x"));
  }

  @Test
  void namesThatLeaveTheDirectoryAndOtherNonsenseAreRefusedUnderAValidChecksum()
      throws IOException {
    assertThat(parse(withChecksum(lines()))).isEqualTo(MANIFEST);
    for (String file :
        List.of(
            "file 1 1 " + SHA + " ../relay.key",
            "file 1 1 " + SHA + " ..",
            "file 1 1 " + SHA + " /etc/passwd",
            "segment 1 1 " + SHA + " relay.key",
            "file 1 -1 " + SHA + " relay.key",
            "file 1 1 " + SHA.substring(1) + " relay.key",
            "file 1 1 " + SHA,
            "other 1 1 " + SHA + " relay.key",
            "file 01 1 " + SHA + " relay.key",
            "file 1 99999999999999999999 " + SHA + " relay.key")) {
      assertThatIOException()
          .as(file)
          .isThrownBy(() -> parse(withChecksum(lines() + file + "\n")))
          .withMessage("the backup is damaged: its manifest is not what was written");
    }
    assertThatIOException().isThrownBy(() -> parse(withChecksum("gambit backup 1\nnumber 1\n")));
  }

  @Test
  void manifestOfANewerVersionIsNamed() {
    String newer = withChecksum(lines().replace("gambit backup 1", "gambit backup 2"));
    assertThatIOException()
        .isThrownBy(() -> parse(newer))
        .withMessage("the backup was made by a newer version of Gambit (gambit backup 2)");
  }
}
