package gambit.app.tool.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.crypto.Signer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFileTest {
  private static final String NSEC =
      "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5";

  @TempDir private Path directory;
  private Path file = Path.of("");

  @BeforeEach
  void nameFile() {
    file = directory.resolve("new/player.key");
  }

  @Test
  void aNewKeyIsReadAgainAndOnlyItsOwnerMayReadIt() throws Exception {
    assertThat(KeyFile.read(file)).isEmpty();
    Signer made = KeyFile.create(file);
    assertThat(KeyFile.read(file).orElseThrow().pubkey()).isEqualTo(made.pubkey());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
        .isEqualTo("rwx------");
  }

  @Test
  void aFileIsNeverReplaced() throws Exception {
    KeyFile.create(file);
    assertThatThrownBy(() -> KeyFile.create(file)).hasMessage("Cannot write " + file + ".");
  }

  @Test
  void anNsecAndHexDigitsAreTheSameKey() throws Exception {
    write(NSEC + "\n", "rw-------");
    Signer nsec = KeyFile.read(file).orElseThrow();
    write("67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa", "r--------");
    assertThat(KeyFile.read(file).orElseThrow().pubkey()).isEqualTo(nsec.pubkey());
  }

  @Test
  void aFileThatOthersMayReadIsRefused() throws Exception {
    write(NSEC, "rw-r--r--");
    assertThatThrownBy(() -> KeyFile.read(file))
        .hasMessage(file + " can be read by others; make it private (chmod 600).");
  }

  @Test
  void aFileWithoutAKeyIsRefused() throws Exception {
    write("nsec1", "rw-------");
    assertThatThrownBy(() -> KeyFile.read(file))
        .hasMessage(file + ": neither an nsec nor 64 lower-case hex digits.");
    write("0".repeat(64), "rw-------");
    assertThatThrownBy(() -> KeyFile.read(file)).hasMessage(file + ": not a key of secp256k1.");
    write("x".repeat(2000), "rw-------");
    assertThatThrownBy(() -> KeyFile.read(file)).hasMessage(file + " does not hold a key.");
    assertThatThrownBy(() -> KeyFile.read(directory)).hasMessage(directory + " is not a file.");
  }

  @Test
  void theGuestKeyIsInTheDirectoryForConfiguration() {
    assertThat(KeyFile.ofGuest(Map.of("XDG_CONFIG_HOME", "/etc/somebody")))
        .isEqualTo(Path.of("/etc/somebody/gambit/player.key"));
    assertThat(KeyFile.ofGuest(Map.of()))
        .isEqualTo(Path.of(System.getProperty("user.home"), ".config/gambit/player.key"));
  }

  private void write(String text, String permissions) throws Exception {
    Files.createDirectories(file.getParent());
    Files.deleteIfExists(file);
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }
}
