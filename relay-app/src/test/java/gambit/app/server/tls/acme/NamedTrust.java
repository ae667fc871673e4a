package gambit.app.server.tls.acme;

import gambit.app.server.tls.ServerTrustManager;
import gambit.core.tls.CertificateFault;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

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
      SSLContext context = SSLContext.getInstance("TLS");
      X509TrustManager authority = (X509TrustManager) trusting(storeOf(root))[0];
      context.init(null, new TrustManager[] {new NamedTrust(authority, name)}, null);
      return context;
    } catch (GeneralSecurityException | CertificateFault e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    authority.checkServerTrusted(chain, type);
    if (!String.valueOf(chain[0].getSubjectAlternativeNames()).contains(", " + name + "]")) {
      throw new CertificateException("not for " + name);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    checkServerTrusted(chain, type);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    checkServerTrusted(chain, type);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return authority.getAcceptedIssuers();
  }
}
