package gambit.app.tls;

import gambit.core.net.ServerTls;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts exactly the certificate that the relay's own port uses at the moment, under whatever name:
 * for clients in this process, which connect by a loopback address that no certificate names.
 */
public final class PinnedCertificate extends X509ExtendedTrustManager {
  private final ServerTls tls;

  private PinnedCertificate(ServerTls tls) {
    this.tls = tls;
  }

  /** A context for clients of that port. */
  public static SSLContext contextFor(ServerTls tls) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new PinnedCertificate(tls)}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
  }

  private void requirePinned(X509Certificate[] chain) throws CertificateException {
    if (chain.length == 0 || !chain[0].equals(tls.certificate().leaf())) {
      throw new CertificateException("not the certificate of this relay");
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    requirePinned(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    requirePinned(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    requirePinned(chain);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("for clients only");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw new CertificateException("for clients only");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("for clients only");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
