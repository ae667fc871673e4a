package gambit.app.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.CommandResult;
import gambit.app.FreePort;
import gambit.app.GambitProcess;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.ThoroughOnly;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program with a domain, and a real certificate authority, Pebble. */
class AcmeIT {
  private static final String DOMAIN = "relay.example";

  /** What the authority logs when it has a new one. */
  private static final String ORDER = "Added order";

  private static final String ACCOUNT = "accounts in memory";
  private static final String CERTIFICATE = "Issued certificate serial";

  /** What an order asks of the authority, from the account to the certificate. */
  private static final int REQUESTS = 10;

  @TempDir private Path directory;

  private static List<String> arguments(Pebble pebble) {
    List<String> arguments = new ArrayList<>(List.of("--domain", DOMAIN, "--listen", "127.0.0.1"));
    arguments.addAll(List.of("--set", "tls.acme.http_port=0"));
    arguments.addAll(List.of("--set", "tls.acme.directory=" + pebble.url()));
    arguments.addAll(List.of("--set", "tls.acme.ca=" + pebble.ca()));
    return arguments;
  }

  private static Certificate awaitCertificate(int port, SSLContext trust) {
    return await("a certificate of the authority")
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(200)) // each is a handshake
        .ignoreExceptions()
        .until(
            () -> {
              try (SSLSocket socket =
                  (SSLSocket)
                      trust
                          .getSocketFactory()
                          .createSocket(InetAddress.getLoopbackAddress(), port)) {
                socket.startHandshake();
                return socket.getSession().getPeerCertificates()[0];
              }
            },
            it -> true);
  }

  private static long logged(Pebble pebble, String words) throws Exception {
    return pebble.log().lines().filter(line -> line.contains(words)).count();
  }

  /**
   * The process is killed as soon as the authority has had that many of its requests, and started
   * again; a third process finds the certificate.
   */
  @ThoroughOnly
  @Test
  void killedAtEachRequestItCompletesTheOrderAtTheNextStart() throws Exception {
    int port = FreePort.any();
    try (Pebble pebble = new Pebble(directory.resolve("pebble"))) {
      pebble.start(port, 1);
      SSLContext trust = pebble.trusting(DOMAIN);
      String[] arguments = arguments(pebble).toArray(String[]::new);
      int usual = REQUESTS - 1; // when the order is ready
      for (int kill = TestEffort.of(usual, 1); kill <= TestEffort.of(usual, REQUESTS); kill++) {
        Path data = directory.resolve("data" + kill);
        long before = pebble.requests("/");
        long until = before + kill;
        long orders = logged(pebble, ORDER);
        long accounts = logged(pebble, ACCOUNT);
        long certificates = logged(pebble, CERTIFICATE);
        try (GambitProcess killed = GambitProcess.relayAt(port, data, arguments)) {
          await().pollInterval(Duration.ofMillis(1)).until(() -> pebble.requests("/") >= until);
          killed.kill();
        }
        Certificate certificate;
        try (GambitProcess again = GambitProcess.relayAt(port, data, arguments)) {
          certificate = awaitCertificate(port, trust);
          HttpClient http = HttpClient.newBuilder().sslContext(trust).build();
          try (Client client = new Client(URI.create("wss://localhost:" + port), http)) {
            long now = Instant.now().getEpochSecond();
            client.publishAccepted(Keys.of("alice").sign(now, 1, Tags.NONE, "over wss"));
          }
          Path exported = directory.resolve("exported" + kill);
          CommandResult export = CommandResult.of("export", "--data", "" + data, "" + exported);
          assertThat(export.status()).as(export.errors()).isZero();
          assertThat(exported).as("read over the new certificate").content().contains("over wss");
          assertThat(again.terminate().exitStatus()).isZero();
        }
        assertThat(logged(pebble, ORDER)).isBetween(orders + 1, orders + 2);
        assertThat(logged(pebble, ACCOUNT)).isEqualTo(accounts + 1);
        assertThat(logged(pebble, CERTIFICATE)).isEqualTo(certificates + 1);
        long requests = pebble.requests("/");
        try (GambitProcess third = GambitProcess.relayAt(port, data, arguments)) {
          assertThat(awaitCertificate(port, trust)).isEqualTo(certificate);
          assertThat(third.terminate().exitStatus()).isZero();
        }
        assertThat(pebble.requests("/")).as("requests of the third start").isEqualTo(requests);
      }
    }
  }

  @Test
  void nothingOfItIsLoadedWithoutADomain() throws Exception {
    Path classes = directory.resolve("classes.txt");
    List<String> options = GambitProcess.quick("-Xlog:class+load:file=" + classes);
    try (GambitProcess relay = GambitProcess.relayWith(options, directory.resolve("data"))) {
      assertThat(relay.terminate().exitStatus()).isZero();
    }
    assertThat(Files.readString(classes))
        .contains("gambit.app.Gambit ")
        .doesNotContain("gambit.app.server.tls.CertificateOrders", "org.shredzone.", "org.jose4j.");
  }
}
