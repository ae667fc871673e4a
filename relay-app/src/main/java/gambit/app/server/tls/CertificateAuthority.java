package gambit.app.server.tls;

import gambit.app.server.tls.TlsSettings.AcmeSettings;
import gambit.core.net.ServerTls;
import gambit.core.tls.CertificateFault;
import gambit.core.tls.TlsCertificate;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.Authorization;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Order;
import org.shredzone.acme4j.PollableResource;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.challenge.Challenge;
import org.shredzone.acme4j.challenge.Http01Challenge;
import org.shredzone.acme4j.challenge.TlsAlpn01Challenge;
import org.shredzone.acme4j.connector.Connection;
import org.shredzone.acme4j.connector.HttpConnector;
import org.shredzone.acme4j.connector.NetworkSettings;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeLazyLoadingException;
import org.shredzone.acme4j.exception.AcmeProtocolException;
import org.shredzone.acme4j.exception.AcmeServerException;
import org.shredzone.acme4j.exception.AcmeUnauthorizedException;
import org.shredzone.acme4j.provider.GenericAcmeProvider;
import org.shredzone.acme4j.toolbox.JSONBuilder;

/**
 * Orders a certificate from the certificate authority of the settings (RFC 8555): with the account
 * of the directory {@code acme}, or a new one where the authority does not know it or has ended it,
 * and with the order that is under way, if there is one. One thread, which waits for the authority.
 */
final class CertificateAuthority {
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(2);
  private static final long FIRST_PAUSE_MILLIS = 250;
  private static final long LONGEST_PAUSE_MILLIS = 10_000;

  private final AcmeSettings settings;
  private final AcmeFiles files;
  private final ServerTls tls;
  private final int tlsPort;
  private final InstantSource time;

  CertificateAuthority(
      AcmeSettings settings, AcmeFiles files, ServerTls tls, int tlsPort, InstantSource time) {
    this.settings = settings;
    this.files = files;
    this.tls = tls;
    this.tlsPort = tlsPort;
    this.time = time;
  }

  /**
   * Obtains a certificate, and stores it.
   *
   * @param http where the authority looks for the proof; null for the port of TLS
   */
  TlsCertificate order(@Nullable RedirectPort http)
      throws OrderFailure, IOException, InterruptedException {
    try {
      return obtained(http);
    } catch (AcmeException e) {
      throw OrderFailure.of(settings, e);
    } catch (AcmeLazyLoadingException | AcmeProtocolException e) {
      throw OrderFailure.of(
          settings,
          e.getCause() instanceof AcmeException cause
              ? cause
              : new AcmeException(e.getMessage(), e));
    }
  }

  private TlsCertificate obtained(@Nullable RedirectPort http)
      throws AcmeException, OrderFailure, IOException, InterruptedException {
    Session session = new Session(settings.directory(), new Provider(trust()));
    session.networkSettings().setTimeout(REQUEST_TIMEOUT);
    Login login;
    Order order;
    try {
      login = account(files.accountKey()).createLogin(session);
      order = openOrder(login);
    } catch (AcmeUnauthorizedException e) { // the authority has ended the account of the key
      login = account(files.newAccountKey()).createLogin(session);
      order = openOrder(login);
    }
    for (Authorization authorization : order.getAuthorizations()) {
      if (authorization.getStatus() != Status.VALID) {
        prove(authorization, http);
      }
    }
    KeyPair key = files.readOrder().orElseThrow().key();
    Status status = await(order, Set.of(Status.READY, Status.VALID, Status.INVALID));
    if (status == Status.READY) {
      complete(order, login, SignedNames.request(settings.domain(), key));
      status = await(order, Set.of(Status.VALID, Status.INVALID));
    }
    if (status != Status.VALID) {
      files.deleteOrder();
      throw order
          .getError()
          .map(problem -> OrderFailure.of(settings, new AcmeServerException(problem)))
          .orElseGet(
              () -> new OrderFailure("the certificate authority has not completed the order."));
    }
    TlsCertificate made =
        new TlsCertificate(order.getCertificate().getCertificateChain(), key.getPrivate());
    files.writeCertificate(made);
    files.deleteOrder();
    return made;
  }

  /** As {@code Order.execute}, which needs classes of Bouncy Castle. */
  private static void complete(Order order, Login login, byte[] request) throws AcmeException {
    JSONBuilder claims = new JSONBuilder().putBase64("csr", request);
    try (Connection connection = login.getSession().connect()) {
      connection.sendSignedRequest(order.getFinalizeLocation(), claims, login);
    }
  }

  private Optional<SSLContext> trust() throws OrderFailure {
    Optional<Path> ca = settings.ca();
    try {
      return ca.isPresent()
          ? Optional.of(ServerTrustManager.contextTrusting(ca.get()))
          : Optional.empty();
    } catch (CertificateFault e) {
      throw new OrderFailure("tls.acme.ca: " + e.getMessage());
    }
  }

  /** A request for the account, which the authority makes only if the key has none. */
  private AccountBuilder account(KeyPair key) {
    AccountBuilder account = new AccountBuilder().agreeToTermsOfService().useKeyPair(key);
    return settings.contact().isEmpty() ? account : account.addEmail(settings.contact());
  }

  /** The order that is under way, unless it has failed or is forgotten; else a new one. */
  private Order openOrder(Login login) throws AcmeException, IOException {
    Optional<AcmeFiles.OpenOrder> open = files.readOrder();
    if (open.isPresent()) {
      Order order = login.bindOrder(open.get().url());
      try {
        order.fetch();
        if (order.getStatus() != Status.INVALID) {
          return order;
        }
      } catch (AcmeServerException e) {
        // the authority does not know it any more
      }
    }
    Order order = login.newOrder().domain(settings.domain()).create();
    files.writeOrder(new AcmeFiles.OpenOrder(order.getLocation(), SignedNames.newKey()));
    return order;
  }

  /** Proves to the authority that the domain is this relay, at one of its ports. */
  private void prove(Authorization authorization, @Nullable RedirectPort http)
      throws AcmeException, OrderFailure, IOException, InterruptedException {
    try {
      Challenge challenge =
          authorization
              .<Challenge>findChallenge(
                  http == null ? TlsAlpn01Challenge.TYPE : Http01Challenge.TYPE)
              .orElseThrow(
                  () ->
                      new OrderFailure(
                          "the certificate authority of tls.acme.directory has no challenge that"
                              + " Gambit can answer: choose another one."));
      if (challenge instanceof TlsAlpn01Challenge ofTls) {
        tls.answerChallenge(
            SignedNames.challenge(settings.domain(), ofTls.getAcmeValidation(), time.instant()));
      } else if (challenge instanceof Http01Challenge ofHttp && http != null) {
        http.answerChallenge(ofHttp.getToken(), ofHttp.getAuthorization());
      }
      if (challenge.getStatus() == Status.PENDING) {
        challenge.trigger();
      }
      if (await(challenge, Set.of(Status.VALID, Status.INVALID)) == Status.INVALID) {
        files.deleteOrder();
        throw OrderFailure.ofChallenge(
            settings, http == null ? tlsPort : http.port(), challenge.getError());
      }
    } finally {
      tls.answerChallenge(null);
      if (http != null) {
        http.endChallenge();
      }
    }
  }

  private static Status await(PollableResource resource, Set<Status> ends)
      throws AcmeException, OrderFailure, InterruptedException {
    long end = System.nanoTime() + ANSWER_TIMEOUT.toNanos();
    for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
      Optional<Instant> wanted = resource.fetch();
      if (ends.contains(resource.getStatus())) {
        return resource.getStatus();
      }
      long millis = wanted.map(at -> Duration.between(Instant.now(), at).toMillis()).orElse(pause);
      if (System.nanoTime() > end) {
        throw new OrderFailure(
            "the certificate authority has not decided within two minutes; it is asked again.");
      }
      TimeUnit.MILLISECONDS.sleep(Math.max(FIRST_PAUSE_MILLIS, Math.min(millis, 60_000)));
    }
  }

  /** Connects with that trust, or that of Java; by the URL of the settings only. */
  static final class Provider extends GenericAcmeProvider {
    private final Optional<SSLContext> trust;

    Provider(Optional<SSLContext> trust) {
      this.trust = trust;
    }

    @Override
    protected HttpConnector createHttpConnector(NetworkSettings network) {
      return new HttpConnector(network) {
        @Override
        public HttpClient.Builder createClientBuilder() {
          HttpClient.Builder builder = super.createClientBuilder();
          trust.ifPresent(builder::sslContext);
          return builder;
        }
      };
    }
  }
}
