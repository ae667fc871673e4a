package gambit.app.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import gambit.app.FreePort;
import gambit.app.server.tls.TlsSettings.AcmeSettings;
import gambit.core.limit.LimitValues;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.testkit.ClassLog;
import gambit.core.testkit.Client;
import gambit.core.testkit.TestCertificate;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.TestMetrics;
import gambit.core.testkit.TestRelay;
import gambit.core.tls.TlsCertificate;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.Session;

/** Certificates of a real authority, Pebble, for the port of a relay. */
class CertificateOrdersTest {
  private static final String DOMAIN = "relay.example";
  private static final Duration YEAR = Duration.ofDays(365);

  @TempDir private Path data;
  private final TestMetrics metrics = new TestMetrics();
  private volatile Duration ahead = Duration.ZERO;
  private final InstantSource time = () -> Instant.now().plus(ahead);
  private final List<AutoCloseable> open = new ArrayList<>();
  private Pebble pebble;
  private int httpPort;

  /** A relay whose certificate is ordered from {@link #pebble}. */
  private final class Port {
    final AcmeFiles files;
    final CertificateFiles certificate;
    final TestRelay relay;
    final CertificateOrders orders;

    Port(String domain, int http) throws Exception {
      this(new AcmeSettings(domain, pebble.url(), Optional.of(pebble.ca()), "", http));
    }

    Port(AcmeSettings settings) throws Exception {
      files = new AcmeFiles(data, settings, time.instant());
      certificate = new CertificateFiles(files.certificate(), files.certificate(), time, metrics);
      open.add(certificate);
      relay = new TestRelay(LimitValues.DEFAULT, TransportSettings.DEFAULT, certificate.tls());
      open.add(relay);
      orders =
          new CertificateOrders(
              settings,
              files,
              certificate,
              new InetSocketAddress(InetAddress.getLoopbackAddress(), relay.uri().getPort()),
              time,
              metrics,
              death -> {});
      open.add(orders);
    }

    int port() {
      return relay.uri().getPort();
    }

    Client connect() {
      HttpClient http = HttpClient.newBuilder().sslContext(pebble.trusting(DOMAIN)).build();
      return new Client(URI.create("wss://localhost:" + port()), http);
    }

    TlsCertificate used() {
      return certificate.tls().certificate();
    }
  }

  @BeforeEach
  void start() throws Exception {
    pebble = new Pebble(data.resolve("pebble"));
    open.add(pebble);
    httpPort = FreePort.any();
  }

  @AfterEach
  void end() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  private long obtained() {
    return metrics.read("tls_certificate_orders{result=obtained}");
  }

  @Test
  void firstCertificateIsUsedKeptAndRenewedWhileClientsStayConnected() throws Exception {
    Port port = new Port(DOMAIN, 0);
    pebble.start(port.port(), 1);
    assertThatThrownBy(port::connect).isInstanceOf(CompletionException.class);
    port.orders.look();
    assertThat(port.certificate.problem()).isEmpty();
    TlsCertificate first = port.used();
    List<Client> clients = new ArrayList<>();
    HttpClient http = HttpClient.newBuilder().sslContext(pebble.trusting(DOMAIN)).build();
    for (int i = 0; i < TestEffort.of(10, 1000); i++) {
      clients.add(new Client(URI.create("wss://localhost:" + port.port()), http));
    }
    ahead = Duration.ofDays(59);
    port.orders.look();
    assertThat(port.used()).as("with more than a third of its time").isEqualTo(first);
    ahead = Duration.ofDays(61);
    port.orders.look();
    assertThat(port.used().leaf()).isNotEqualTo(first.leaf());
    assertThat(port.used().key()).isNotEqualTo(first.key());
    assertThat(obtained()).isEqualTo(2);
    for (Client client : clients) {
      client.queryIds("{}");
      client.close();
    }
    port.connect().close();
    try (Stream<Path> files = Files.walk(data.resolve("acme"))) {
      assertThat(files)
          .hasSize(3) // the directory, the account and the certificate
          .allSatisfy(
              file ->
                  assertThat(Files.getPosixFilePermissions(file))
                      .isSubsetOf(PosixFilePermissions.fromString("rwx------")));
    }
    ahead = Duration.ZERO; // otherwise the third one is due, and Pebble may not ask for a proof
    Port next = new Port(DOMAIN, 0);
    next.orders.look();
    assertThat(next.used().leaf()).as("after a restart").isEqualTo(port.used().leaf());
    assertThat(obtained()).isEqualTo(2);
  }

  @Test
  void otherDomainIsOrderedAnewAndTheFormerCertificateServesUntilThen() throws Exception {
    Port former = new Port("former.example", 0);
    pebble.start(former.port(), httpPort);
    former.orders.look();
    Port port = new Port(DOMAIN, httpPort); // by HTTP, because Pebble knows the former's port
    former.relay.close();
    assertThat(port.used().leaf()).isEqualTo(former.used().leaf());
    port.orders.look();
    port.connect().close();
    assertThat(obtained()).isEqualTo(2);
  }

  @Test
  void accountThatHasEndedIsReplaced() throws Exception {
    Port port = new Port(DOMAIN, 0);
    pebble.start(port.port(), 1);
    port.orders.look();
    Session session =
        new Session(pebble.url(), new CertificateAuthority.Provider(Optional.of(pebble.trust())));
    new AccountBuilder()
        .onlyExisting()
        .useKeyPair(port.files.accountKey())
        .create(session)
        .deactivate();
    ahead = Duration.ofDays(61);
    port.orders.look();
    assertThat(obtained()).isEqualTo(2);
    port.connect().close();
  }

  @Test
  void challengeThatFailsIsExplainedAndTriedAgainWithGrowingPauses() throws Exception {
    Port port = new Port(DOMAIN, 0);
    pebble.start(FreePort.any(), httpPort);
    TlsCertificate placeholder = port.used();
    try (ClassLog log = new ClassLog(CertificateOrders.class)) {
      port.orders.look();
      port.orders.look();
      assertThat(log.messages())
          .hasSize(1)
          .first()
          .asString()
          .startsWith(
              "No certificate for relay.example: this relay does not answer at port "
                  + port.port()
                  + " of relay.example: point its A and AAAA records in the DNS to this machine")
          .contains(" The next attempt is at ");
      assertThat(port.certificate.problem()).isPresent();
      for (long pause : new long[] {1, 4, 16, 64, 256, 360, 360}) {
        ahead = ahead.plusMinutes(pause).minusSeconds(20);
        port.orders.look();
        long before = metrics.read("tls_certificate_orders{result=failed}");
        ahead = ahead.plusSeconds(40);
        port.orders.look();
        assertThat(metrics.read("tls_certificate_orders{result=failed}")).isEqualTo(before + 1);
      }
      ahead = Duration.ofDays(-100);
      port.orders.look();
      assertThat(log.messages()).as("after the clock was set back").hasSize(9);
    }
    assertThat(port.used()).isEqualTo(placeholder);
    assertThat(obtained()).isZero();
  }

  @Test
  void httpIsTriedIfTheAuthorityDoesNotReachThePortOfTls() throws Exception {
    Port port = new Port(DOMAIN, httpPort);
    pebble.start(FreePort.any(), httpPort);
    port.orders.look();
    port.connect().close();
    assertThat(port.certificate.problem()).isEmpty();
  }

  @Test
  void takenHttpPortIsOneLineAndNoHindrance() throws Exception {
    try (ClassLog log = new ClassLog(CertificateOrders.class);
        ServerSocket taken = new ServerSocket(httpPort, 1, InetAddress.getLoopbackAddress())) {
      Port port = new Port(DOMAIN, taken.getLocalPort());
      pebble.start(port.port(), httpPort);
      port.orders.look();
      port.connect().close();
      assertThat(log.messages())
          .hasSize(1)
          .first()
          .asString()
          .startsWith("Port " + httpPort + " is not redirected to https");
    }
  }

  @Test
  void clockThatJumpsOrdersOnce() throws Exception {
    Port port = new Port(DOMAIN, 0);
    pebble.start(port.port(), 1);
    port.orders.look();
    ahead = YEAR;
    for (int minute = 0; minute < 5; minute++) {
      port.orders.look();
      ahead = ahead.plusMinutes(1);
    }
    assertThat(obtained()).isEqualTo(2);
    assertThat(port.certificate.problem())
        .hasValueSatisfying(it -> it.endsWith(": set the clock."));
    port.connect().close();
    ahead = Duration.ZERO;
    port.orders.look();
    assertThat(port.certificate.problem()).isEmpty();
    ahead = YEAR.negated();
    port.orders.look();
    assertThat(obtained()).isEqualTo(2);
  }

  @Test
  void refusedNameIsExplained() throws Exception {
    Port port = new Port("blocked.example", 0);
    pebble.start(port.port(), 1);
    port.orders.look();
    assertThat(port.certificate.problem())
        .hasValueSatisfying(
            it ->
                assertThat(it)
                    .startsWith("the certificate authority refuses the name blocked.example: "));
  }

  @Test
  void authorityThatDoesNotAnswerIsExplained() throws Exception {
    Port port = new Port(DOMAIN, 0);
    port.orders.look();
    assertThat(port.certificate.problem())
        .hasValueSatisfying(
            it ->
                assertThat(it)
                    .startsWith("the certificate authority does not answer at " + pebble.url()));
  }

  @Test
  void limitOfTheAuthorityIsObeyed() throws Exception {
    TestCertificate certificate = TestCertificate.ofLocalhost();
    Path ca = Files.writeString(data.resolve("limited.pem"), certificate.certificatePem());
    HttpsServer limited =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    limited.setHttpsConfigurator(new HttpsConfigurator(certificate.serving()));
    String url = "https://localhost:" + limited.getAddress().getPort() + "/";
    AtomicInteger requests = new AtomicInteger();
    limited.createContext(
        "/",
        request -> {
          request.getRequestBody().readAllBytes();
          boolean isPost = request.getRequestMethod().equals("POST");
          byte[] body =
              (isPost
                      ? "{\"type\":\"urn:ietf:params:acme:error:rateLimited\",\"detail\":\"too"
                          + " many\"}"
                      : "{\"newNonce\":\"%s\",\"newAccount\":\"%s\"}".formatted(url, url))
                  .getBytes(StandardCharsets.UTF_8);
          requests.addAndGet(isPost ? 1 : 0);
          request.getResponseHeaders().add("Replay-Nonce", "abc");
          request.getResponseHeaders().add("Retry-After", "86400");
          request
              .getResponseHeaders()
              .add("Content-Type", isPost ? "application/problem+json" : "application/json");
          request.sendResponseHeaders(isPost ? 429 : 200, body.length);
          request.getResponseBody().write(body);
          request.close();
        });
    limited.start();
    open.add(() -> limited.stop(0));
    Port port = new Port(new AcmeSettings(DOMAIN, URI.create(url), Optional.of(ca), "", 0));
    port.orders.look();
    assertThat(port.certificate.problem())
        .hasValueSatisfying(
            it ->
                assertThat(it)
                    .startsWith("the certificate authority issues no further certificate before "));
    ahead = Duration.ofHours(23);
    port.orders.look();
    assertThat(requests).hasValue(1);
    ahead = Duration.ofHours(25);
    port.orders.look();
    assertThat(requests).hasValue(2);
  }
}
