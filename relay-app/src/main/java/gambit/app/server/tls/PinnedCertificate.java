package gambit.app.server.tls;

import gambit.core.net.ServerTls;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts exactly the certificate of the relay's own port, under whatever name: for clients on this
 * machine, which connect by a loopback address that no certificate names.
 */
public final class PinnedCertificate extends ServerTrustManager {
  private final Predicate<X509Certificate> isPinned;

  private PinnedCertificate(Predicate<X509Certificate> isPinned) {
    this.isPinned = isPinned;
  }

  /** A context for clients of that port, whichever certificate it uses at the moment. */
  public static SSLContext contextFor(ServerTls tls) {
    return context(certificate -> certificate.equals(tls.certificate().leaf()));
  }

  public static SSLContext contextFor(String fingerprint) {
    return context(certificate -> fingerprint(certificate).equals(fingerprint));
  }

  public static String fingerprint(X509Certificate certificate) {
    try {
      byte[] encoded = certificate.getEncoded();
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(encoded));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a parsed certificate has an encoding", e);
    }
  }

  private static SSLContext context(Predicate<X509Certificate> isPinned) {
    return context(new TrustManager[] {new PinnedCertificate(isPinned)});
  }

  @Override
  protected void check(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    if (chain.length == 0 || !isPinned.test(chain[0])) {
      throw new CertificateException("not the certificate of this relay");
    }
  }
}
