package gambit.core.net;

import gambit.core.tls.TlsCertificate;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of a port while a challenge of a certificate authority is open: one for
 * connections of the protocol {@value #PROTOCOL}, another one for all others. Immutable.
 */
final class ChallengeKeys extends X509ExtendedKeyManager {
  static final String PROTOCOL = "acme-tls/1";

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
    String alias = PROTOCOL.equals(engine.getHandshakeApplicationProtocol()) ? PROTOCOL : USUAL;
    return of(alias).key().getAlgorithm().equals(keyType) ? alias : null;
  }

  private TlsCertificate of(String alias) {
    return alias.equals(PROTOCOL) ? challenge : usual;
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
