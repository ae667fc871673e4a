package gambit.app.server.tls;

import gambit.core.tls.CertificateFault;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Trusts an authority's certificates for one name, whatever name the client has connected to. */
final class NamedTrust extends ServerTrustManager {
  private final X509TrustManager authority;
  private final String name;

  private NamedTrust(X509TrustManager authority, String name) {
    this.authority = authority;
    this.name = name;
  }

  /** A context with trust in the authority of a PEM file. */
  static SSLContext in(Path root, String name) {
    try {
      X509TrustManager authority = (X509TrustManager) trusting(storeOf(root))[0];
      return context(new TrustManager[] {new NamedTrust(authority, name)});
    } catch (GeneralSecurityException | CertificateFault e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected void check(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    authority.checkServerTrusted(chain, type);
    if (!String.valueOf(chain[0].getSubjectAlternativeNames()).contains(", " + name + "]")) {
      throw new CertificateException("not for " + name);
    }
  }
}
