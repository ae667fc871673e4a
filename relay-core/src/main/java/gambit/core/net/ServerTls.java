package gambit.core.net;

import gambit.core.tls.TlsCertificate;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS of the relay's port: versions 1.2 and 1.3, ciphers with forward secrecy and authenticated
 * encryption, no renegotiation by clients, and a certificate that can be replaced while the port is
 * open. Connections keep the certificate with which they were opened. Any thread.
 */
public final class ServerTls {
  private static final List<String> CIPHERS =
      List.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  /** The sessions that are remembered for clients without tickets; Java's default is 20,480. */
  private static final int MAX_SESSIONS = 1000;

  private static final int SESSION_SECONDS = 3600;
  private static final String HTTP = "http/1.1";

  /** By which a certificate authority sees who answers at the port (RFC 8737). */
  static final String CHALLENGE_PROTOCOL = "acme-tls/1";

  static {
    // A handshake costs the server more than the client, so a client has one for each connection.
    // The JDK reads this when it makes the first handshake as a server; TLS 1.3 has none anyway.
    System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
  }

  private volatile TlsCertificate certificate;
  private volatile SslContext context;
  private @Nullable TlsCertificate challenge; // of certificate authorities, while one is open

  public ServerTls(TlsCertificate certificate) {
    this.certificate = certificate;
    this.context = context(certificate, null);
  }

  private static SslContext context(
      TlsCertificate certificate, @Nullable TlsCertificate challenge) {
    try {
      SslContextBuilder builder =
          challenge == null
              ? SslContextBuilder.forServer(
                  certificate.key(), certificate.chain().toArray(X509Certificate[]::new))
              : SslContextBuilder.forServer(new ChallengeKeys(certificate, challenge));
      return builder
          .sslProvider(SslProvider.JDK)
          .protocols("TLSv1.3", "TLSv1.2")
          .ciphers(CIPHERS)
          .sessionCacheSize(MAX_SESSIONS)
          .sessionTimeout(SESSION_SECONDS)
          .applicationProtocolConfig(
              new ApplicationProtocolConfig(
                  Protocol.ALPN,
                  SelectorFailureBehavior.NO_ADVERTISE,
                  SelectedListenerFailureBehavior.ACCEPT,
                  challenge == null
                      ? new String[] {HTTP}
                      : new String[] {HTTP, CHALLENGE_PROTOCOL}))
          .build();
    } catch (SSLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Uses another certificate for connections that are opened from now on. */
  public synchronized void change(TlsCertificate certificate) {
    context = context(certificate, challenge);
    this.certificate = certificate;
  }

  /**
   * Shows a certificate to connections of {@link #CHALLENGE_PROTOCOL} from now on; none if null.
   */
  public synchronized void answerChallenge(@Nullable TlsCertificate with) {
    context = context(certificate, with);
    challenge = with;
  }

  public TlsCertificate certificate() {
    return certificate;
  }

  SslContext context() {
    return context;
  }

  /**
   * While a challenge is open: a certificate for its protocol, and one for all others. Immutable.
   */
  private static final class ChallengeKeys extends X509ExtendedKeyManager {
    private static final String USUAL = "usual";

    private final TlsCertificate usual;
    private final TlsCertificate challenge;

    ChallengeKeys(TlsCertificate usual, TlsCertificate challenge) {
      this.usual = usual;
      this.challenge = challenge;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
        String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
      String alias =
          CHALLENGE_PROTOCOL.equals(engine.getHandshakeApplicationProtocol())
              ? CHALLENGE_PROTOCOL
              : USUAL;
      return of(alias).key().getAlgorithm().equals(keyType) ? alias : null;
    }

    private TlsCertificate of(String alias) {
      return alias.equals(CHALLENGE_PROTOCOL) ? challenge : usual;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return of(alias).chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return of(alias).key();
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, Socket socket) {
      return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
      return null;
    }
  }
}
