package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gambit.app.FreePort;
import gambit.app.common.CommandFailure;
import gambit.app.common.PrivateFile;
import gambit.core.testkit.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS and credentials for real servers, and the sentences when they refuse a node. */
class NatsAccessTest {
  private static final String SEED = "SUAF4BOLKFNV42XOQQZFVDHOWKFJFQWY2AOGWD2LWDTUHPIE5TTVK7V2VE";
  private static final String OTHER = "SUAIZ3RKKBRXS5PXXMPQ2YMFIHPRPPBYXT24CC7ERUBFPDAP6VDZWK27PI";

  @TempDir Path files;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(files.resolve(name), text);
  }

  private Path secret(String name, String text) throws IOException {
    PrivateFile.create(files.resolve(name), text);
    return files.resolve(name);
  }

  private static NatsAccess password(String user, String password) {
    return new NatsAccess(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        user,
        password,
        Optional.empty(),
        Optional.empty());
  }

  private static NatsAccess passwordFile(String user, Path file) {
    return new NatsAccess(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        user,
        "",
        Optional.of(file),
        Optional.empty());
  }

  private static NatsAccess nkey(Path file) {
    return new NatsAccess(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        "",
        "",
        Optional.empty(),
        Optional.of(file));
  }

  private static NatsAccess tls(Optional<Path> ca, Optional<Path> certificate, Optional<Path> key) {
    return new NatsAccess(ca, certificate, key, "", "", Optional.empty(), Optional.empty());
  }

  /** Connects, and uses the connection. */
  private static void assertAdmits(List<String> servers, NatsAccess access) throws Exception {
    try (NatsConnection connection = TestCluster.connect(settings(servers, access));
        NatsLog log = new NatsLog(connection, settings(servers, access))) {
      assertThat(connection.isConnected()).isTrue();
      if (log.open().isEmpty()) {
        log.create(1, "aa", "cc");
      }
      assertThat(log.open()).isPresent();
    }
  }

  private static ClusterSettings settings(List<String> servers, NatsAccess access) {
    return TestCluster.settings(servers, "gambit", Duration.ofHours(12), access);
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertRefuses(
      List<String> servers, NatsAccess access) {
    return assertThatThrownBy(() -> TestCluster.connect(settings(servers, access)))
        .isInstanceOf(CommandFailure.class);
  }

  @Test
  void aUserHasItsPasswordFromTheSettingOrFromAFile() throws Exception {
    try (NatsServers servers =
        NatsServers.startWith(
            "nats", "authorization { users: [{user: node, password: \"a word\"}] }")) {
      List<String> urls = servers.urls();
      assertAdmits(urls, password("node", "a word"));
      assertAdmits(urls, passwordFile("node", secret("password", "a word")));
      assertRefuses(urls, password("node", "another word"))
          .hasMessage("cluster.user, cluster.password: " + urls.get(0) + " does not accept them.");
      assertRefuses(urls, TestCluster.NO_CREDENTIALS)
          .hasMessageStartingWith("cluster.servers: " + urls.get(0) + " requires credentials:");
    }
  }

  @Test
  void anNkeyIsAcceptedByAServerThatListsIt() throws Exception {
    String user = Nkey.ofSeed(SEED).publicKey();
    try (NatsServers servers =
        NatsServers.startWith("nats", "authorization { users: [{nkey: " + user + "}] }")) {
      assertAdmits(servers.urls(), nkey(secret("nkey", SEED)));
      assertRefuses(servers.urls(), nkey(secret("other", OTHER)))
          .hasMessage(
              "cluster.nkey_file: " + servers.urls().get(0) + " does not accept this NKey.");
    }
  }

  @Test
  void aNodeThatIsRefusedLaterEndsWithTheSameSentence() throws Exception {
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    try (NatsServers servers =
            NatsServers.startWith("nats", "authorization { user: node, password: first }");
        NatsConnection connection =
            new NatsConnection(
                settings(servers.urls(), password("node", "first")), failures::add)) {
      servers.server(0).kill();
      servers.configure("authorization { user: node, password: second }");
      servers.server(0).start();
      await().until(() -> !failures.isEmpty());
      assertThat(failures)
          .singleElement()
          .extracting(Throwable::getMessage)
          .asString()
          .endsWith(" does not accept them.");
      assertThat(connection.isConnected()).isFalse();
    }
  }

  @Test
  void aConnectionThatEndsOtherwiseIsNotReportedAsRefused() throws Exception {
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    try (NatsServers servers = NatsServers.start(1);
        NatsConnection connection =
            new NatsConnection(
                settings(servers.urls(), TestCluster.NO_CREDENTIALS), failures::add)) {
      connection.library().close();
      await().until(() -> !failures.isEmpty());
      assertThat(failures)
          .singleElement()
          .extracting(Throwable::getMessage)
          .isEqualTo("cluster.servers: the connection was closed.");
    }
  }

  /** An exception by which the library's thread that reads may end. */
  private static RuntimeException ofReader() {
    RuntimeException failure = new IllegalStateException("Output queue is full 64");
    failure.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement(
              "io.nats.client.impl.NatsConnectionReader", "run", "NatsConnectionReader.java", 1)
        });
    return failure;
  }

  @Test
  void aConnectionWhoseThreadHasEndedIsMadeAnewUnlessThatComesAgainAtOnceOrIsAnError()
      throws Exception {
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    try (NatsServers servers = NatsServers.start(1);
        NatsConnection connection =
            new NatsConnection(
                settings(servers.urls(), TestCluster.NO_CREDENTIALS), failures::add)) {
      connection.taskEnded(ofReader());
      await().until(() -> connection.library().getStatistics().getReconnects() == 1);
      await().until(connection::isConnected);
      assertThat(connection.library().RTT()).isPositive();
      assertThat(failures).isEmpty();
      Throwable again = ofReader();
      connection.taskEnded(again);
      Throwable ofAnotherTask = new IllegalStateException("of a subscription");
      connection.taskEnded(ofAnotherTask);
      Throwable error = new OutOfMemoryError();
      error.setStackTrace(ofReader().getStackTrace());
      connection.taskEnded(error);
      assertThat(failures).containsExactly(again, ofAnotherTask, error);
    }
  }

  @Test
  void filesOfSecretsThatCannotBeUsedAreNamed() throws Exception {
    List<String> nowhere = List.of("nats://127.0.0.1:" + FreePort.any());
    Path missing = files.resolve("missing");
    assertRefuses(nowhere, nkey(missing))
        .hasMessage("cluster.nkey_file: " + missing + " does not exist or is empty.");
    assertRefuses(nowhere, passwordFile("node", missing))
        .hasMessage("cluster.password_file: " + missing + " does not exist or is empty.");
    Path open = file("open", SEED);
    Files.setPosixFilePermissions(
        open, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
    assertRefuses(nowhere, nkey(open)).hasMessageContaining("can be read by others");
    Path wrong = secret("wrong", "SUAF4BOL");
    assertRefuses(nowhere, nkey(wrong))
        .hasMessage(
            "cluster.nkey_file: " + wrong + " does not hold the seed of a user's NKey (SU…).");
  }

  @Test
  void serversThatCannotBeReachedAreNamed() throws Exception {
    List<String> nowhere =
        List.of("nats://127.0.0.1:" + FreePort.any(), "nats://127.0.0.1:" + FreePort.any());
    assertRefuses(nowhere, TestCluster.NO_CREDENTIALS)
        .hasMessage(
            "cluster.servers: cannot connect to "
                + String.join(", ", nowhere)
                + ": Connection refused.");
  }

  @Test
  void oneServerThatCanBeReachedSuffices() throws Exception {
    try (NatsServers servers = NatsServers.start(1)) {
      assertAdmits(
          List.of("nats://127.0.0.1:" + FreePort.any(), servers.urls().get(0)),
          TestCluster.NO_CREDENTIALS);
    }
  }

  @Test
  void aServerIsTrustedByItsAuthorityAndName() throws Exception {
    TestCertificate certificate = TestCertificate.ofLocalhost();
    Path ca = file("ca.pem", certificate.certificatePem());
    Path key = file("key.pem", certificate.keyPem());
    try (NatsServers servers =
        NatsServers.startWith(
            "tls", "tls { cert_file: \"%s\", key_file: \"%s\" }".formatted(ca, key))) {
      List<String> urls = servers.urls();
      NatsAccess trusting = tls(Optional.of(ca), Optional.empty(), Optional.empty());
      assertAdmits(urls, trusting);
      assertAdmits(List.of(urls.get(0).replace("tls:", "nats:")), trusting);
      assertRefuses(urls, TestCluster.NO_CREDENTIALS)
          .hasMessageStartingWith("cluster.servers: cannot connect to " + urls.get(0))
          .hasMessageContaining("unable to find valid certification path");
      Path other = file("other.pem", TestCertificate.ofLocalhost().certificatePem());
      assertRefuses(urls, tls(Optional.of(other), Optional.empty(), Optional.empty()))
          .hasMessageStartingWith("cluster.servers: cannot connect to " + urls.get(0));
      assertRefuses(List.of(urls.get(0).replace("tls:", "nats:")), TestCluster.NO_CREDENTIALS)
          .hasMessageStartingWith("cluster.servers: cannot connect to ")
          .hasMessageContaining("SSL");
    }
  }

  @Test
  void aServerIsTrustedUnderTheNameOfItsCertificateOnly() throws Exception {
    TestCertificate certificate = TestCertificate.ofLocalhostByName();
    Path ca = file("ca.pem", certificate.certificatePem());
    Path key = file("key.pem", certificate.keyPem());
    try (NatsServers servers =
        NatsServers.startWith(
            "tls", "tls { cert_file: \"%s\", key_file: \"%s\" }".formatted(ca, key))) {
      NatsAccess trusting = tls(Optional.of(ca), Optional.empty(), Optional.empty());
      assertAdmits(List.of(servers.urls().get(0).replace("127.0.0.1", "localhost")), trusting);
      assertRefuses(servers.urls(), trusting)
          .hasMessageContaining("No subject alternative names matching IP address 127.0.0.1");
    }
  }

  @Test
  void aServerMayRequireACertificateOfTheNode() throws Exception {
    TestCertificate certificate = TestCertificate.ofLocalhost();
    Path ca = file("ca.pem", certificate.certificatePem());
    Path key = file("key.pem", certificate.keyPem());
    try (NatsServers servers =
        NatsServers.startWith(
            "tls",
            "tls { cert_file: \"%s\", key_file: \"%s\", ca_file: \"%s\", verify: true }"
                .formatted(ca, key, ca))) {
      assertAdmits(servers.urls(), tls(Optional.of(ca), Optional.of(ca), Optional.of(key)));
      assertRefuses(servers.urls(), tls(Optional.of(ca), Optional.empty(), Optional.empty()))
          .hasMessageStartingWith("cluster.servers: cannot connect to ");
    }
  }

  @Test
  void certificateFilesThatCannotBeUsedAreNamed() throws Exception {
    List<String> nowhere = List.of("tls://127.0.0.1:" + FreePort.any());
    Path missing = files.resolve("missing");
    Path empty = file("empty", "");
    assertRefuses(nowhere, tls(Optional.of(missing), Optional.empty(), Optional.empty()))
        .hasMessageStartingWith("cluster.tls_ca: " + missing + " cannot be read: ");
    assertRefuses(nowhere, tls(Optional.of(empty), Optional.empty(), Optional.empty()))
        .hasMessageStartingWith("cluster.tls_ca: " + empty + " has no certificate in PEM format");
    assertRefuses(nowhere, tls(Optional.empty(), Optional.of(empty), Optional.of(empty)))
        .hasMessageStartingWith("cluster.tls_certificate, cluster.tls_key: " + empty);
  }
}
