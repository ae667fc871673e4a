package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.model.Tags;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.session.Lifecycle;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestCertificate;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestMetrics;
import gambit.core.testkit.TestRelay;
import gambit.core.testkit.ThoroughOnly;
import gambit.core.testkit.UnexpectedLogEvents;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS on the relay's port. */
class TlsTest {
  private static final TestCertificate CERTIFICATE = TestCertificate.ofLocalhost();

  private final ServerTls tls = new ServerTls(CERTIFICATE.tls());
  private final TestRelay relay = relay(LimitValues.DEFAULT);

  private TestRelay relay(LimitValues limits) {
    TrustedProxies proxies = TrustedProxies.parse(List.of("127.0.0.1"));
    return new TestRelay(limits, new TransportSettings(false, proxies), tls);
  }

  @AfterEach
  void end() {
    relay.close();
  }

  private static int port(TestRelay relay) {
    return relay.uri().getPort();
  }

  private Client connect(TestCertificate trusted) {
    HttpClient http = HttpClient.newBuilder().sslContext(trusted.trusting()).build();
    return new Client(URI.create("wss://localhost:" + port(relay)), http);
  }

  @Test
  void messagesOfAnyLengthPassInBothDirections() {
    try (Client client = connect(CERTIFICATE)) {
      for (int length : new int[] {0, 1, 16_384, 60_000}) {
        String text = "x".repeat(length);
        var event = Keys.of("alice").sign(relay.now(), 1, Tags.NONE, text);
        client.publishAccepted(event);
        assertThat(client.queryIds("{\"ids\":[\"" + event.id().hex() + "\"]}")).hasSize(1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void bothVersionsAreSpokenAndTheEndOfTheStreamIsAnnounced(String version) throws IOException {
    try (SSLSocket socket = CERTIFICATE.connect(port(relay), version);
        RawSocket raw = new RawSocket(socket)) {
      assertThat(socket.getSession().getProtocol()).isEqualTo(version);
      assertThat(socket.getSession().getCipherSuite()).contains("GCM");
      raw.write("GET / HTTP/1.1\r\nHost: x\r\nAccept: application/nostr+json\r\n");
      raw.write("Connection: close\r\n\r\n");
      String head = raw.readHead();
      assertThat(head).startsWith("HTTP/1.1 200 ");
      raw.readBody(head);
      assertThat(raw.isAtEnd()).as("after a close_notify, without which Java throws").isTrue();
    }
    assertThat(relay.metrics().read("tls_handshakes{result=completed}")).isEqualTo(1);
  }

  @Test
  void olderVersionsAreRefused() {
    assertThatThrownBy(() -> CERTIFICATE.connect(port(relay), "TLSv1.1"))
        .isInstanceOf(SSLException.class);
  }

  @Test
  void anotherCertificateIsUsedForNewConnectionsAndOpenOnesStay() {
    TestCertificate next = TestCertificate.withRsaKey();
    try (Client before = connect(CERTIFICATE)) {
      tls.change(next.tls());
      try (Client after = connect(next)) {
        for (Client each : List.of(before, after)) {
          each.publishAccepted(
              Keys.of("alice").sign(relay.now(), 1, Tags.NONE, "" + each.hashCode()));
        }
      }
      assertThat(relay.metrics().read("tls_certificate_expiry_timestamp_seconds"))
          .isEqualTo(next.certificate().getNotAfter().getTime() / 1000);
    }
  }

  @Test
  void certificateOfAChallengeIsShownToItsProtocolOnlyWhileItIsOpen() throws Exception {
    TestCertificate challenge = TestCertificate.ofLocalhost();
    assertThat(connectForChallenge(CERTIFICATE)).isEmpty();
    tls.answerChallenge(challenge.tls());
    assertThat(connectForChallenge(challenge)).isEqualTo("acme-tls/1");
    try (Client usual = connect(CERTIFICATE)) {
      tls.change(challenge.tls());
      tls.change(CERTIFICATE.tls());
      assertThat(connectForChallenge(challenge)).as("after a renewal").isEqualTo("acme-tls/1");
      tls.answerChallenge(null);
      assertThat(connectForChallenge(CERTIFICATE)).isEmpty();
      assertThat(usual.queryIds("{}")).isEmpty();
    }
  }

  /** The protocol that an authority gets with a certificate; that port is closed to it then. */
  private String connectForChallenge(TestCertificate expected) throws IOException {
    try (SSLSocket socket =
        (SSLSocket)
            expected
                .trusting()
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), port(relay))) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"acme-tls/1"});
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      String protocol = socket.getApplicationProtocol();
      if (!protocol.isEmpty()) {
        assertThat(socket.getInputStream().read()).as("the end of the stream").isEqualTo(-1);
      }
      return protocol;
    }
  }

  @Test
  void inputThatIsNotTlsClosesTheConnectionAndIsCounted() throws IOException {
    Random random = new Random(5);
    byte[] garbage = new byte[1000];
    try (UnexpectedLogEvents log = UnexpectedLogEvents.ofAll()) {
      for (int i = 0; i < 20; i++) {
        random.nextBytes(garbage);
        garbage[0] = (byte) (i < 10 ? i : 'Z' + i); // no capital letter, which would be HTTP
        try (RawSocket raw = new RawSocket(relay.uri())) {
          raw.write(garbage);
          raw.endOutput();
          assertThat(raw.isEndedOrReset()).isTrue();
        }
      }
      await().until(() -> relay.metrics().read("tls_handshakes{result=failed}") == 20);
      log.requireNone();
    }
    await().until(() -> relay.metrics().read("requesting") == 0);
  }

  @Test
  void plainRequestIsAnsweredInPlainTextThatThePortSpeaksTls() throws IOException {
    for (String request :
        List.of(
            RawSocket.UPGRADE,
            "GET /unfinished",
            "POST / HTTP/1.1\r\n\r\n" + "x".repeat(100_000))) {
      try (RawSocket raw = new RawSocket(relay.uri())) {
        raw.write(request);
        String head = raw.readHead();
        assertThat(head)
            .startsWith("HTTP/1.1 400 Bad Request\r\n")
            .containsIgnoringCase("\r\nconnection: close\r\n")
            .containsIgnoringCase("\r\ncontent-type: text/plain");
        assertThat(new String(raw.readBody(head), StandardCharsets.US_ASCII))
            .isEqualTo("This port speaks TLS: use wss:// or https:// in the URL.\n");
        assertThat(raw.isAtEnd()).isTrue();
      }
    }
    await().until(() -> relay.metrics().read("tls_handshakes{result=failed}") == 3);
    assertThat(relay.metrics().read("http_answers{status=400}")).isEqualTo(3);
    await().until(() -> relay.metrics().read("requesting") == 0);
  }

  @Test
  void plainClientThatKeepsSendingAndReadsNothingIsClosedAfterAMoment() throws IOException {
    try (UnexpectedLogEvents log = UnexpectedLogEvents.ofAll();
        RawSocket raw = new RawSocket(relay.uri())) {
      byte[] more =
          "GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(100).getBytes(StandardCharsets.US_ASCII);
      assertThatThrownBy(
              () -> {
                while (true) {
                  raw.write(more);
                }
              })
          .isInstanceOf(IOException.class);
      await().until(() -> relay.metrics().read("requesting") == 0);
      assertThat(relay.metrics().read("http_answers{status=400}")).isEqualTo(1);
      log.requireNone();
    }
  }

  @Test
  void clientOfTls12CannotRenegotiate() throws IOException {
    try (UnexpectedLogEvents log = UnexpectedLogEvents.ofAll();
        SSLSocket socket = CERTIFICATE.connect(port(relay), "TLSv1.2");
        RawSocket raw = new RawSocket(socket)) {
      raw.write(RawSocket.UPGRADE);
      raw.readUpgradeAnswer();
      assertThat(raw.isServed()).isTrue();
      socket.startHandshake();
      assertThatThrownBy(raw::isServed).isInstanceOf(IOException.class);
      await().until(() -> relay.metrics().read("connections") == 0);
      log.requireNone();
    }
    assertThat(relay.metrics().read("tls_handshakes{result=completed}")).isEqualTo(1);
  }

  @ThoroughOnly
  @Test
  void clientThatRequestsNewKeysAndReadsNoAnswerIsDisconnected(@TempDir Path directory)
      throws Exception {
    Process flood = KeyUpdateFlood.start(port(relay), CERTIFICATE.certificatePem(), directory);
    try {
      assertThat(flood.waitFor(3, TimeUnit.MINUTES)).as("disconnected").isTrue();
      assertThat(flood.exitValue()).isZero();
      await().until(() -> relay.metrics().read("connections") == 0);
    } finally {
      flood.destroyForcibly();
    }
  }

  @Test
  void brokenRecordOfAnOpenConnectionClosesItWithoutAnErrorInTheLog() throws Exception {
    try (UnexpectedLogEvents log = UnexpectedLogEvents.ofAll();
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), port(relay));
        SSLSocket socket =
            (SSLSocket)
                CERTIFICATE
                    .trusting()
                    .getSocketFactory()
                    .createSocket(plain, "localhost", port(relay), false);
        RawSocket raw = new RawSocket(socket)) {
      raw.write(RawSocket.UPGRADE);
      raw.readUpgradeAnswer();
      byte[] forged = new byte[5 + 32];
      System.arraycopy(new byte[] {0x17, 3, 3, 0, 32}, 0, forged, 0, 5);
      plain.getOutputStream().write(forged);
      await().until(() -> relay.metrics().read("connections") == 0);
      log.requireNone();
    }
  }

  @Test
  void handshakeThatIsNotCompleteAtTheDeadlineIsClosedAndCounted() throws IOException {
    try (TestRelay impatient = relay(TestLimits.handshakeSeconds(1));
        RawSocket silent = new RawSocket(impatient.uri());
        RawSocket begun = new RawSocket(impatient.uri());
        RawSocket proxied = new RawSocket(impatient.uri())) {
      begun.write(new byte[] {0x16, 3, 1, 1, 0});
      proxied.write("PROXY TCP4 203.0.113.7 10.0.0.1 4711 80\r\n");
      for (RawSocket each : List.of(silent, begun, proxied)) {
        assertThat(each.isEndedOrReset()).isTrue();
      }
      await().until(() -> impatient.metrics().read("tls_handshakes{result=timeout}") == 3);
    }
  }

  @Test
  void handshakeWithoutARequestIsAnswered408AtTheDeadline() throws IOException {
    try (TestRelay impatient = relay(TestLimits.handshakeSeconds(10)); // a handshake takes a while
        RawSocket raw = new RawSocket(CERTIFICATE.connect(port(impatient)))) {
      assertThat(raw.readHead()).contains(" 408 ");
    }
  }

  @Test
  void proxyProtocolIsReadBeforeTls() throws IOException, GeneralSecurityException {
    try (TestRelay one = relay(TestLimits.connections(10, 1));
        RawSocket first = proxied(one, "203.0.113.7");
        RawSocket same = proxied(one, "203.0.113.7");
        RawSocket other = proxied(one, "203.0.113.8")) {
      first.write(RawSocket.UPGRADE);
      first.readUpgradeAnswer();
      assertThat(first.isServed()).isTrue();
      same.write(RawSocket.UPGRADE);
      assertThat(same.readHead()).startsWith("HTTP/1.1 429 ");
      other.write(RawSocket.UPGRADE);
      other.readUpgradeAnswer();
    }
  }

  private static RawSocket proxied(TestRelay relay, String client) throws IOException {
    Socket plain = new Socket(InetAddress.getLoopbackAddress(), port(relay));
    plain
        .getOutputStream()
        .write(
            ("PROXY TCP4 " + client + " 10.0.0.1 4711 80\r\n").getBytes(StandardCharsets.US_ASCII));
    return new RawSocket(
        CERTIFICATE.trusting().getSocketFactory().createSocket(plain, "localhost", 1, true));
  }

  @Test
  void clientThatReadsNothingIsDisconnectedAtOnce() throws IOException {
    LimitValues small = TestLimits.builder().set(Limit.OUTBOX_BYTES, 1 << 20).build();
    try (TestRelay bounded = relay(small);
        RawSocket deaf = new RawSocket(CERTIFICATE.connect(port(bounded)));
        RawSocket author = new RawSocket(CERTIFICATE.connect(port(bounded)))) {
      for (RawSocket each : List.of(deaf, author)) {
        each.write(RawSocket.UPGRADE);
        each.readUpgradeAnswer();
      }
      deaf.sendText("[\"REQ\",\"all\",{}]");
      assertThat(deaf.nextText()).startsWith("[\"EOSE\"");
      String text = "x".repeat(60_000);
      for (int i = 0; bounded.metrics().read("connections_closed{reason=slow}") == 0; i++) {
        assertThat(i).as("events of 60 KB").isLessThan(1000);
        var event = Keys.of("alice").sign(bounded.now(), 1, Tags.NONE, i + text);
        author.sendText("[\"EVENT\"," + event + "]");
        assertThat(author.nextText()).contains("true");
      }
    }
  }

  @Test
  void addressWithManyHandshakesLeavesRoomForThoseOfOthers() {
    CountDownLatch blocked = new CountDownLatch(1);
    try (TlsHandshakes handshakes =
        new TlsHandshakes(
            tls,
            new TestMetrics(),
            new Lifecycle(InstantSource.system(), new AtomicBoolean(), error -> {}))) {
      handshakes.lane().put(() -> awaitThat(blocked));
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 501; i++) {
                  handshakes.execute(from("203.0.113.7"), () -> {});
                }
              })
          .isInstanceOf(RejectedExecutionException.class);
      for (int i = 0; i < 20; i++) {
        handshakes.execute(from("198.51.100." + i), () -> {});
      }
      blocked.countDown();
    }
  }

  private static void awaitThat(CountDownLatch latch) {
    try {
      assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static EmbeddedChannel from(String address) {
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.attr(TrustedProxies.SOURCE).set(new InetSocketAddress(address, 1).getAddress());
    return channel;
  }
}
