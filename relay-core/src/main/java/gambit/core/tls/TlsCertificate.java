package gambit.core.tls;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A certificate with its chain and its private key, which belong together. Immutable; not printed,
 * because of the key.
 *
 * @param chain the server's certificate first, then those of the authorities between it and a root
 */
public record TlsCertificate(List<X509Certificate> chain, PrivateKey key) {
  /** The bytes that are signed and verified to see whether a key belongs to a certificate. */
  private static final byte[] PROBE = "gambit".getBytes(StandardCharsets.US_ASCII);

  public TlsCertificate {
    chain = List.copyOf(chain);
  }

  /** Reads PEM files; the key is one of PKCS#8, PKCS#1 or SEC 1, not encrypted. */
  public static TlsCertificate read(Path chain, Path key) throws CertificateFault {
    List<X509Certificate> certificates = certificates(chain);
    PublicKey owner = certificates.get(0).getPublicKey();
    PrivateKey secret = PrivateKeys.read(key, owner);
    if (!belongTogether(secret, owner)) {
      throw new CertificateFault(
          key + " is not the key of the first certificate in " + chain + ".");
    }
    return new TlsCertificate(certificates, secret);
  }

  /** The certificates of a PEM file, at least one. */
  public static List<X509Certificate> certificates(Path file) throws CertificateFault {
    List<X509Certificate> chain = new ArrayList<>();
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (PemBlock block : PemBlock.read(file)) {
        if (block.label().equals("CERTIFICATE")) {
          var der = new ByteArrayInputStream(block.der(file));
          chain.add((X509Certificate) factory.generateCertificate(der));
        }
      }
    } catch (CertificateException e) {
      throw new CertificateFault(file + " has a certificate that cannot be read.");
    }
    if (chain.isEmpty()) {
      throw new CertificateFault(
          file + " has no certificate in PEM format (\"-----BEGIN CERTIFICATE-----\").");
    }
    return chain;
  }

  private static boolean belongTogether(PrivateKey key, PublicKey owner) throws CertificateFault {
    try {
      Signature signature = Signature.getInstance(signatureAlgorithm(owner));
      signature.initSign(key);
      signature.update(PROBE);
      byte[] signed = signature.sign();
      signature.initVerify(owner);
      signature.update(PROBE);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static String signatureAlgorithm(PublicKey owner) throws CertificateFault {
    return switch (owner.getAlgorithm()) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      case "EdDSA" -> "EdDSA";
      default ->
          throw new CertificateFault(
              "A certificate with a key of type " + owner.getAlgorithm() + " is not supported.");
    };
  }

  public X509Certificate leaf() {
    return chain.get(0);
  }

  public Instant expiry() {
    return chain.stream()
        .map(it -> it.getNotAfter().toInstant())
        .min(Instant::compareTo)
        .orElseThrow();
  }

  @Override
  public String toString() {
    return leaf().getSubjectX500Principal().getName() + ", valid until " + expiry();
  }
}
