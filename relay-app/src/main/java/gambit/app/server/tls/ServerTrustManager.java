package gambit.app.server.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Trusts servers as a subclass says, and no clients. */
public abstract class ServerTrustManager extends X509ExtendedTrustManager {
  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("for clients only");
  }

  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw new CertificateException("for clients only");
  }

  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String type)
      throws CertificateException {
    throw new CertificateException("for clients only");
  }
}
