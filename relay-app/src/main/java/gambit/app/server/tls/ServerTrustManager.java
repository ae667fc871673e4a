package gambit.app.server.tls;

import gambit.core.tls.CertificateFault;
import gambit.core.tls.TlsCertificate;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Trusts servers as a subclass says, and no clients. */
public abstract class ServerTrustManager extends X509ExtendedTrustManager {

  /** A context that trusts the authorities of a PEM file, and checks names where its user does. */
  public static SSLContext contextTrusting(Path authorities) throws CertificateFault {
    try {
      return context(trusting(storeOf(authorities)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has trust managers", e);
    }
  }

  protected static SSLContext context(TrustManager[] trust) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
  }

  /** Trust in the authorities of a store, or those of Java if it is null. */
  protected static TrustManager[] trusting(@Nullable KeyStore authorities)
      throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(authorities);
    return factory.getTrustManagers();
  }

  protected static KeyStore storeOf(Path authorities)
      throws CertificateFault, GeneralSecurityException {
    KeyStore trusted = emptyStore();
    int number = 0;
    for (X509Certificate each : TlsCertificate.certificates(authorities)) {
      trusted.setCertificateEntry("ca" + number++, each);
    }
    return trusted;
  }

  protected static KeyStore emptyStore() throws GeneralSecurityException {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      return store;
    } catch (IOException e) {
      throw new IllegalStateException("an empty store is not read", e);
    }
  }

  /**
   * Requires that a server is trusted.
   *
   * @param socket of the connection; null if it is of another kind
   */
  protected abstract void check(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException;

  @Override
  public final void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(chain, type, null);
  }

  @Override
  public final void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check(chain, type, socket);
  }

  @Override
  public final void checkServerTrusted(X509Certificate[] chain, String type)
      throws CertificateException {
    check(chain, type, null);
  }

  @Override
  public final X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }

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
