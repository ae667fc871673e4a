package gambit.app.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.files.DirectoryLock;
import gambit.core.model.Nip19;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code gambit key}: what it prints and writes, what it refuses, and its exit status. */
class KeyCommandTest {
  private static final byte[] SECRET = HexFormat.of().parseHex("0f".repeat(32));
  private static final String HEX = "0f".repeat(32);
  private static final String NPUB = Nip19.npub(new Signer(SECRET).pubkey());
  private static final String OTHER = "0e".repeat(32);

  @TempDir Path temp;
  private Path data;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final InputStream input = System.in;

  @BeforeEach
  void locate() {
    data = temp.resolve("data");
  }

  @AfterEach
  void restoreInput() {
    System.setIn(input);
  }

  private int key(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return new CommandLine(new KeyCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  private int importFromInput(String text, String... more) {
    System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)));
    String[] arguments = new String[3 + more.length];
    System.arraycopy(new String[] {"import", "--data", "" + data}, 0, arguments, 0, 3);
    System.arraycopy(more, 0, arguments, 3, more.length);
    return key(arguments);
  }

  private void writeKey(String name, String text) throws IOException {
    Files.createDirectories(data);
    writePrivate(data.resolve(name), text);
  }

  private static void writePrivate(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private static void assertPrivate(Path file) throws IOException {
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
  }

  @Test
  void showPrintsThePublicKeyAndTheFileAndNoSecretAlsoWhileTheRelayRuns() throws IOException {
    writeKey("relay.key", HEX + "\n");
    DirectoryLock running = new DirectoryLock(data, "gambit.lock");
    try (running) {
      assertThat(key("show", "--data", "" + data)).isZero();
    }
    assertThat(out.toString().lines())
        .containsExactly(NPUB, new Signer(SECRET).pubkey().hex(), "" + data.resolve("relay.key"));
    assertThat(out + "" + err).doesNotContain(HEX.substring(0, 16), "nsec");
  }

  @Test
  void showOfTheHousePlayersKey() throws IOException {
    writeKey("house.key", OTHER);
    assertThat(key("show", "--house", "--data", "" + data)).isZero();
    assertThat(out.toString()).contains("house.key").doesNotContain(OTHER);
  }

  @Test
  void aMissingReadableOrInvalidKeyIsReportedInOneSentence() throws IOException {
    assertThat(key("show", "--data", "" + data)).isEqualTo(1);
    assertThat(err.toString().strip()).isEqualTo("There is no " + data.resolve("relay.key") + ".");
    writeKey("relay.key", "0123");
    assertThat(key("show", "--data", "" + data)).isEqualTo(1);
    assertThat(err.toString()).contains("relay.key: neither an nsec nor 64").doesNotContain("0123");
    writeKey("relay.key", "f".repeat(64));
    assertThat(key("show", "--data", "" + data)).isEqualTo(1);
    assertThat(err.toString()).contains("relay.key: not a key of secp256k1.");
    Files.setPosixFilePermissions(
        data.resolve("relay.key"), PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(key("show", "--data", "" + data)).isEqualTo(1);
    assertThat(err.toString()).contains("can be read by others");
  }

  @Test
  void aKeyFileThatCannotBeReachedIsNotReportedAsMissing() throws IOException {
    Path file = Files.createFile(temp.resolve("file"));
    assertThat(key("show", "--data", "" + file)).isEqualTo(1);
    assertThat(err.toString().strip())
        .isEqualTo(
            "%1$s cannot be read: %1$s: Not a directory.".formatted(file.resolve("relay.key")));
    Files.createDirectories(data);
    Path link = Files.createSymbolicLink(data.resolve("relay.key"), temp.resolve("none"));
    assertThat(key("show", "--data", "" + data)).isEqualTo(1);
    assertThat(err.toString().strip())
        .isEqualTo(link + " is a link to a file that does not exist.");
  }

  @Test
  void exportWritesTheNsecIntoANewPrivateFileAndPrintsNoSecret() throws IOException {
    writeKey("relay.key", HEX);
    Path file = temp.resolve("backup.nsec");
    assertThat(key("export", "--data", "" + data, "--to", "" + file)).isZero();
    assertThat(file).hasContent(Nip19.nsec(SECRET));
    assertPrivate(file);
    assertThat(out + "" + err).contains("" + file).doesNotContain("nsec1", HEX);
  }

  @Test
  void exportWritesThroughADevice() throws IOException {
    writeKey("relay.key", HEX);
    Path device = Files.createSymbolicLink(temp.resolve("device"), Path.of("/dev/null"));
    assertThat(key("export", "--data", "" + data, "--to", "" + device)).isZero();
    assertThat(Files.isRegularFile(device)).isFalse();
    assertThat(key("export", "--data", "" + data, "--to", "" + temp)).isEqualTo(1);
    assertThat(err.toString().strip())
        .isEqualTo("Cannot write " + temp + ": " + temp + ": it is a directory.");
  }

  @Test
  void exportReplacesNoFileAndPrintsTheSecretOnlyWhenAskedTo() throws IOException {
    writeKey("relay.key", HEX);
    Path file = Files.writeString(temp.resolve("notes.txt"), "notes");
    assertThat(key("export", "--data", "" + data, "--to", "" + file)).isEqualTo(1);
    assertThat(file).hasContent("notes");
    assertThat(key("export", "--data", "" + data)).isEqualTo(2);
    assertThat(out + "" + err).doesNotContain("nsec1");
    assertThat(key("export", "--data", "" + data, "--stdout")).isZero();
    assertThat(out.toString().strip()).isEqualTo(Nip19.nsec(SECRET));
    assertThat(err.toString()).startsWith("Whoever has this line can act with this key");
  }

  @Test
  void importReadsAnNsecOrHexFromInputOrAPrivateFileIntoAPrivateFile() throws IOException {
    Path relayKey = data.resolve("relay.key");
    assertThat(importFromInput(Nip19.nsec(SECRET) + "\n")).isZero();
    assertThat(relayKey).hasContent(HEX);
    assertPrivate(relayKey);
    assertThat(out.toString()).contains(NPUB, "" + relayKey).doesNotContain("nsec1", HEX);
    Path file = temp.resolve("house.hex");
    writePrivate(file, OTHER + "\n");
    assertThat(key("import", "--house", "--data", "" + data, "--from", "" + file)).isZero();
    assertThat(data.resolve("house.key")).hasContent(OTHER);
    assertThat(relayKey).hasContent(HEX);
  }

  @Test
  void importReplacesNoKey() throws IOException {
    writeKey("relay.key", HEX);
    assertThat(importFromInput(OTHER)).isEqualTo(1);
    assertThat(err.toString()).contains("exists and is never replaced");
    assertThat(data.resolve("relay.key")).hasContent(HEX);
  }

  @Test
  void importIsRefusedWhileTheRelayRuns() throws IOException {
    Files.createDirectories(data);
    DirectoryLock running = new DirectoryLock(data, "gambit.lock");
    try (running) {
      assertThat(importFromInput(HEX)).isEqualTo(1);
    }
    assertThat(err.toString()).contains("another process is using").contains("stop the relay");
    assertThat(data.resolve("relay.key")).doesNotExist();
  }

  @Test
  void invalidAndReadableInputIsRefusedAndNotRepeated() throws IOException {
    for (String text : new String[] {"", "nsec1qqqq", "0".repeat(64), HEX + "0", "F".repeat(64)}) {
      assertThat(importFromInput(text)).as(text).isEqualTo(1);
      assertThat(err.toString()).startsWith("Standard input: ");
      assertThat(err.toString().lines()).hasSize(1);
    }
    Path file = Files.writeString(temp.resolve("open.hex"), HEX);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(key("import", "--data", "" + data, "--from", "" + file)).isEqualTo(1);
    assertThat(err.toString()).contains("can be read by others").doesNotContain(HEX);
    assertThat(data.resolve("relay.key")).doesNotExist();
  }

  @Test
  void aSecretIsNoArgument() {
    assertThat(key("import", "--data", "" + data, Nip19.nsec(SECRET))).isEqualTo(2);
    assertThat(data.resolve("relay.key")).doesNotExist();
    assertThat(key()).isEqualTo(2);
    assertThat(key("show", "--help")).isZero();
  }
}
