package gambit.app.upgrades;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.app.LocalRelay;
import gambit.app.command.data.CheckCommand;
import gambit.core.model.Event;
import gambit.core.testkit.Client;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * A data directory that an older version has written opens with this one, and is complete: one
 * directory for each format of the store, made by {@link StoredContents} and kept from then on.
 */
class OlderDataDirectoriesTest {
  private static final int BLOCK_BYTES = 64 * 1024;

  @TempDir Path data;

  @ParameterizedTest
  @ValueSource(strings = "data-of-store-format-1.zip")
  void itsEventsKeyAndGamesAreThereAndTheRunningGameContinues(String archive) throws Exception {
    unzip(archive, data);
    String key = Files.readString(data.resolve("relay.key"));
    try (LocalRelay relay = new LocalRelay(data, 0)) {
      try (Client client = new Client(relay.uri())) {
        requireEvents(client);
        requireFinishedGame(client);
      }
      assertThat(SocketPlayer.tag(StoredContents.continueToTheEnd(relay).ending(), "result"))
          .isEqualTo("0-1");
    }
    assertThat(Files.readString(data.resolve("relay.key"))).isEqualTo(key);
    assertThat(check(data)).contains("No damage found.");
    Files.delete(data.resolve("store/index/data.mdb"));
    Files.delete(data.resolve("store/index-state"));
    try (LocalRelay relay = new LocalRelay(data, 0);
        Client client = new Client(relay.uri())) {
      requireEvents(client);
      requireFinishedGame(client);
    }
  }

  private static void requireEvents(Client client) {
    for (Event kept : StoredContents.kept()) {
      client.send("[\"REQ\",\"one\",{\"ids\":[\"" + kept.id().hex() + "\"]}]");
      List<JsonNode> found = client.until("EOSE");
      assertThat(found).as(kept.content()).hasSize(2);
      assertThat(withoutSignature(found.get(0).get(2)))
          .isEqualTo(withoutSignature(Client.parse(kept.toString())));
    }
    for (Event removed : StoredContents.removed()) {
      assertThat(client.queryIds("{\"ids\":[\"" + removed.id().hex() + "\"]}")).isEmpty();
    }
    assertThat(client.queryIds("{\"#t\":[\"numbered\"]}")).hasSize(60);
    assertThat(client.answerTo(StoredContents.deleted())).startsWith("blocked: ");
    assertThat(client.answerTo(StoredContents.vanished())).startsWith("blocked: ");
    assertThat(client.answerTo(StoredContents.kept().get(0))).startsWith("duplicate: ");
  }

  /** Two signatures of one event differ. */
  private static JsonNode withoutSignature(JsonNode event) {
    return ((ObjectNode) event).without("sig");
  }

  private static void requireFinishedGame(Client client) {
    client.send("[\"REQ\",\"records\",{\"kinds\":[64]}]");
    List<JsonNode> found = client.until("EOSE");
    assertThat(found.subList(0, found.size() - 1))
        .anySatisfy(
            frame -> {
              JsonNode record = frame.get(2);
              assertThat(SocketPlayer.tag(record, "result")).isEqualTo("0-1");
              assertThat(SocketPlayer.tag(record, "termination")).isEqualTo("checkmate");
              assertThat(record.get("content").asText()).contains("Qh4#");
            });
  }

  /** Runs {@code gambit check}, and returns what it prints. */
  static String check(Path data) {
    StringWriter out = new StringWriter();
    new CommandLine(new CheckCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(out))
        .execute("--data", data.toString());
    return out.toString();
  }

  private static void unzip(String archive, Path target) throws IOException {
    try (InputStream in =
            Objects.requireNonNull(OlderDataDirectoriesTest.class.getResourceAsStream(archive));
        ZipInputStream files = new ZipInputStream(in)) {
      for (ZipEntry file = files.getNextEntry(); file != null; file = files.getNextEntry()) {
        Path path = target.resolve(file.getName());
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        writeSparsely(path, files);
      }
    }
    Files.setPosixFilePermissions(
        target.resolve("relay.key"), PosixFilePermissions.fromString("rw-------"));
  }

  /** Writes no blocks of zeros: a segment of the log has 64 MB, most of them unused. */
  private static void writeSparsely(Path path, InputStream in) throws IOException {
    try (RandomAccessFile out = new RandomAccessFile(path.toFile(), "rw")) {
      byte[] block = in.readNBytes(BLOCK_BYTES);
      long at = 0;
      while (block.length > 0) {
        if (!isZero(block)) {
          out.seek(at);
          out.write(block);
        }
        at += block.length;
        block = in.readNBytes(BLOCK_BYTES);
      }
      out.setLength(at);
    }
  }

  private static boolean isZero(byte[] block) {
    for (byte each : block) {
      if (each != 0) {
        return false;
      }
    }
    return true;
  }
}
