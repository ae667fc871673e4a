package gambit.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import gambit.app.common.CommandFailure;
import gambit.app.server.data.DataDirectory;
import gambit.app.server.settings.Settings;
import gambit.core.crypto.Signer;
import gambit.core.model.Tags;
import gambit.core.store.Transaction;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.testkit.Keys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each start-up failure is reported to the operator in one sentence. */
class StartFailureTest {
  @TempDir Path data;

  @Test
  void aDirectoryWithEventsButNoKeyIsRefusedUnlessANewKeyIsRequested() throws Exception {
    Path key = data.resolve("relay.key");
    storeAnEvent();
    assertThat(refusal(options("127.0.0.1", 0, 0, data, false)))
        .isEqualTo(
            "--data: there are events in "
                + data
                + " but no relay.key: restore "
                + key
                + " from its backup (`gambit key import`), or start once with --new-key to continue"
                + " with a new key; docs/operations/keys.md says what that means for games.");
    assertThat(key).doesNotExist();
    start(options("127.0.0.1", 0, 0, data, true));
    String made = Files.readString(key);
    assertThat(refusal(options("127.0.0.1", 0, 0, data, true)))
        .isEqualTo(
            "--new-key: "
                + key
                + " exists and is never replaced; start without --new-key to use it, or move it"
                + " away first.");
    start(options("127.0.0.1", 0, 0, data, false));
    assertThat(Files.readString(key)).isEqualTo(made);
  }

  @Test
  void aDirectoryWithoutEventsGetsANewKey() throws Exception {
    for (boolean newKey : new boolean[] {false, true}) {
      Path directory = data.resolve("" + newKey);
      start(options("127.0.0.1", 0, 0, directory, newKey));
      Files.delete(directory.resolve("relay.key"));
      start(options("127.0.0.1", 0, 0, directory, newKey));
      assertThat(directory.resolve("relay.key")).isRegularFile();
    }
  }

  @Test
  void unusableCertificatesAreReported() throws Exception {
    Path missing = data.resolve("fullchain.pem");
    Settings tls = TestSettings.ofRelay("tls.certificate=" + missing, "tls.key=" + missing);
    assertThat(refusal(TestSettings.options(data.resolve("data"), false, tls)))
        .isEqualTo(
            "tls.certificate, tls.key: " + missing + " cannot be read: there is no such file.");
    assertThatThrownBy(() -> TestSettings.of(Map.of("tls.key", missing.toString())))
        .hasMessageContaining("tls.certificate and tls.key must be set together");
  }

  @Test
  void unavailablePortsAndAddressesAreReported() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertThat(refusal(options("127.0.0.1", port, 0, data, false)))
          .isEqualTo(
              "--listen, --port: cannot listen on 127.0.0.1:" + port + ": Address already in use.");
      assertThat(refusal(options("127.0.0.1", 0, port, data, false)))
          .startsWith("metrics.listen, --metrics-port: cannot listen on 127.0.0.1:" + port + ": ");
    }
    for (String all : List.of("0.0.0.0", "::", "192.0.2.1")) {
      Settings open = TestSettings.of(Map.of("metrics.listen", all));
      assertThat(refusal(TestSettings.options(data.resolve("data"), false, open)))
          .startsWith("metrics.listen is " + all + ", where others could read the metrics: set ");
    }
    assertThat(refusal(options("192.0.2.1", 0, 0, data, false)))
        .startsWith("--listen, --port: cannot listen on 192.0.2.1:");
    assertThat(refusal(options("no.such.invalid", 0, 0, data, false)))
        .isEqualTo("--listen: there is no address for no.such.invalid.");
  }

  @Test
  void filesInPlaceOfDirectoriesAndDirectoriesInPlaceOfFilesAreReported() throws Exception {
    Path file = Files.createFile(data.resolve("file"));
    assertThat(refusal(options("127.0.0.1", 0, 0, file, false)))
        .isEqualTo("--data: cannot use " + file + ": " + file + " is not a directory.");
    Path below = file.resolve("below");
    assertThat(refusal(options("127.0.0.1", 0, 0, below, false)))
        .isEqualTo("--data: cannot use " + below + ": " + file + " is not a directory.");
    Path store = data.resolve("store");
    Files.createFile(store);
    assertThat(refusal(options("127.0.0.1", 0, 0, data, false)))
        .isEqualTo(
            "--data: the store in " + store + " cannot be used: " + store + " is not a directory.");
    Files.delete(store);
    for (String directory : List.of("store/format", "store/lock", "gambit.lock", "relay.key")) {
      Path other = data.resolve("data of " + directory.replace('/', ' '));
      Files.createDirectories(other.resolve(directory));
      assertThat(refusal(options("127.0.0.1", 0, 0, other, false)))
          .startsWith("--data: ")
          .contains("" + other);
    }
  }

  @Test
  void aDamagedStoreIsReportedAndLeftUnchanged() throws Exception {
    Path store = data.resolve("store");
    start(options("127.0.0.1", 0, 0, data, false));
    Path format = store.resolve("format");
    Files.writeString(format, "something else");
    String refusal = "--data: the store in " + store + " cannot be used: ";
    assertThat(refusal(options("127.0.0.1", 0, 0, data, false)))
        .startsWith(refusal + format + " does not name a format of a store; restore ");
    assertThat(Files.readString(format)).isEqualTo("something else");
    Files.writeString(format, "gambit event store 1");
    Path segment = store.resolve("log/0000000000000000-00000000.log");
    byte[] bytes = Files.readAllBytes(segment);
    bytes[20]++;
    Files.write(segment, bytes);
    assertThat(refusal(options("127.0.0.1", 0, 0, data, false)))
        .isEqualTo(
            refusal
                + "the event log is damaged: segment "
                + segment.getFileName()
                + ", byte 0: the segment's head is damaged.");
  }

  @Test
  void anInvalidOrReadableKeyFileIsReportedAndNeverReplaced() throws Exception {
    Path key = data.resolve("relay.key");
    Gambit.Options options = options("127.0.0.1", 0, 0, data, false);
    Files.createDirectory(key);
    assertThat(refusal(options)).isEqualTo("--data: " + key + " is not a file.");
    Files.delete(key);
    writeKey("not a key", "rw-------");
    assertThat(refusal(options))
        .isEqualTo("--data: " + key + " does not hold 64 hex digits; restore it from its backup.");
    assertThat(Files.readString(key)).isEqualTo("not a key");
    writeKey("f".repeat(64), "rw-------");
    assertThat(refusal(options)).isEqualTo("--data: " + key + " does not hold a key of secp256k1.");
    writeKey("1".repeat(64), "rw-r--r--");
    assertThat(refusal(options))
        .isEqualTo("--data: " + key + " can be read by others; make it private (chmod 600).");
    assertThat(Files.readString(key)).isEqualTo("1".repeat(64));
    writeKey("1".repeat(64), "rw-------");
    try (Gambit gambit = new Gambit(options, death -> {})) {
      assertThat(gambit.banner(options))
          .contains(
              "  public key  4f355bdcb7cc0af728ef3cceb9615d90684bb5b2ca5f859ab0f0b704075871aa");
    }
  }

  @Test
  void whatDeletingAnUnreadableKeyMeansIsToldForTheRelayAndForTheHousePlayer() throws Exception {
    String advice = " does not hold 64 hex digits; restore it from its backup, or delete it";
    Path house = writeKey("house.key", "", "rw-------");
    Path key = writeKey("relay.key", "", "rw-------");
    try (DataDirectory directory = new DataDirectory(data)) {
      assertThatThrownBy(directory::houseKey)
          .hasMessage(
              "--data: "
                  + house
                  + advice
                  + ": the house player is then another player, and its running games are lost.");
      assertThatThrownBy(directory::readKey)
          .hasMessage("--data: " + key + advice + " if this relay has never run.");
    }
  }

  private void writeKey(String text, String permissions) throws IOException {
    writeKey("relay.key", text, permissions);
  }

  private Path writeKey(String name, String text, String permissions) throws IOException {
    Path key = data.resolve(name);
    Files.writeString(key, text);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString(permissions));
    return key;
  }

  @Test
  void emptyNamesAreReported() {
    assertThat(refusal(options("", 0, 0, data, false)))
        .isEqualTo("--listen: there is no address for .");
    assertThat(refusal(options("127.0.0.1", 0, 0, Path.of(""), false)))
        .isEqualTo("--data: the name of the directory is empty.");
  }

  private static Gambit.Options options(
      String host, int port, int metricsPort, Path data, boolean newKey) {
    Settings settings =
        TestSettings.ofRelay(
            "relay.listen=" + host, "relay.port=" + port, "metrics.port=" + metricsPort);
    return TestSettings.options(data, newKey, settings);
  }

  private static void start(Gambit.Options options) throws CommandFailure {
    new Gambit(options, death -> {}).close();
  }

  private static String refusal(Gambit.Options options) {
    CommandFailure refusal = catchThrowableOfType(CommandFailure.class, () -> start(options));
    assertThat(refusal.getMessage())
        .endsWith(".")
        .doesNotContain("\n", "null", "Exception", "Error", "java.", "org.", "io.netty", "sun.");
    return refusal.getMessage();
  }

  private void storeAnEvent() throws IOException {
    Signer alice = Keys.of("alice");
    Path store = Files.createDirectories(data.resolve("store"));
    try (DiskEventStore events = DiskEventStore.open(store, InstantSource.system(), 0);
        Transaction transaction = events.begin()) {
      transaction.append(alice.sign(1, 1, Tags.NONE, "hello"), Transaction.NEVER);
      transaction.commit();
    }
  }
}
