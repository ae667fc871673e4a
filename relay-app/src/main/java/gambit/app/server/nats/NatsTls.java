package gambit.app.server.nats;

import gambit.app.common.CommandFailure;
import gambit.app.common.ErrorMessages;
import gambit.app.server.tls.ServerTrustManager;
import gambit.core.tls.CertificateFault;
import gambit.core.tls.TlsCertificate;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS to the NATS servers: trusts the given authorities, or those of Java, and requires that a
 * certificate has the name of its server, which the NATS library does not check.
 */
final class NatsTls extends ServerTrustManager {
  private static final char[] NO_PASSWORD = new char[0];

  private final X509ExtendedTrustManager authorities;

  private NatsTls(X509ExtendedTrustManager authorities) {
    this.authorities = authorities;
  }

  static SSLContext context(NatsAccess access) throws CommandFailure {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      NatsTls trust = new NatsTls(authorities(access.tlsCa()));
      context.init(ownKeys(access), new TrustManager[] {trust}, null);
      return context;
    } catch (CertificateFault e) {
      throw new CommandFailure("cluster.tls_certificate, cluster.tls_key: " + e.getMessage());
    } catch (GeneralSecurityException e) {
      throw new CommandFailure("cluster.tls_ca: TLS cannot be used: " + ErrorMessages.withCause(e));
    }
  }

  private static X509ExtendedTrustManager authorities(Optional<Path> ca)
      throws GeneralSecurityException, CommandFailure {
    try {
      for (TrustManager each : trusting(ca.isPresent() ? storeOf(ca.get()) : null)) {
        if (each instanceof X509ExtendedTrustManager extended) {
          return extended;
        }
      }
    } catch (CertificateFault e) {
      throw new CommandFailure("cluster.tls_ca: " + e.getMessage());
    }
    throw new IllegalStateException("every JDK has a trust manager for X.509");
  }

  /** The certificate that is shown to a server that asks for one; null for none. */
  private static KeyManager @Nullable [] ownKeys(NatsAccess access)
      throws GeneralSecurityException, CertificateFault {
    if (access.tlsCertificate().isEmpty() || access.tlsKey().isEmpty()) {
      return null;
    }
    TlsCertificate own = TlsCertificate.read(access.tlsCertificate().get(), access.tlsKey().get());
    KeyStore store = emptyStore();
    store.setKeyEntry("node", own.key(), NO_PASSWORD, own.chain().toArray(Certificate[]::new));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  @Override
  protected void check(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    if (!(socket instanceof SSLSocket server)) {
      throw new CertificateException("for TLS only");
    }
    SSLParameters parameters = server.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    server.setSSLParameters(parameters);
    authorities.checkServerTrusted(chain, type, server);
  }
}
