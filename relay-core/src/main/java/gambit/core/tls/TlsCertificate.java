package gambit.core.tls;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A certificate with its chain, in which it is the first, and its private key, which belong
 * together. Immutable; not printed, because of the key.
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

  /**
   * Reads private keys in the three forms that certificate authorities' clients write: PKCS#8
   * ({@code PRIVATE KEY}, RFC 5208), PKCS#1 ({@code RSA PRIVATE KEY}, RFC 8017) and SEC 1 ({@code
   * EC PRIVATE KEY}, RFC 5915). Java reads the first only; the others are its content.
   */
  private static final class PrivateKeys {
    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;
    private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};

    /** The longest length that a DER header has in one byte. */
    private static final int MAX_SHORT_LENGTH = 0x7f;

    private PrivateKeys() {}

    /** Reads the key of a file, which must belong to that public key. */
    static PrivateKey read(Path file, PublicKey owner) throws CertificateFault {
      List<PemBlock> keys =
          PemBlock.read(file).stream().filter(it -> it.label().endsWith("PRIVATE KEY")).toList();
      if (keys.size() != 1) {
        throw new CertificateFault(
            file
                + " has "
                + (keys.isEmpty() ? "no" : "more than one")
                + " private key in PEM format (\"-----BEGIN PRIVATE KEY-----\").");
      }
      PemBlock key = keys.get(0);
      if (key.isEncrypted()) {
        throw new CertificateFault(
            file + " has an encrypted key; write it without a passphrase (openssl pkey).");
      }
      boolean isPkcs8 = key.label().equals("PRIVATE KEY");
      byte[] pkcs8 = isPkcs8 ? key.der(file) : pkcs8(key.der(file), owner);
      try {
        return KeyFactory.getInstance(owner.getAlgorithm())
            .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } catch (GeneralSecurityException e) {
        throw new CertificateFault(
            file + " has no " + owner.getAlgorithm() + " key, which the certificate needs.");
      }
    }

    /** Wraps the content of a key; it has the same algorithm and parameters as its public key. */
    private static byte[] pkcs8(byte[] content, PublicKey owner) throws CertificateFault {
      ByteArrayOutputStream fields = new ByteArrayOutputStream();
      fields.writeBytes(VERSION_0);
      fields.writeBytes(algorithm(owner));
      fields.writeBytes(element(OCTET_STRING, content));
      return element(SEQUENCE, fields.toByteArray());
    }

    /** The AlgorithmIdentifier, the first field of an encoded public key (RFC 5280, 4.1). */
    private static byte[] algorithm(PublicKey owner) throws CertificateFault {
      byte[] encoded = owner.getEncoded();
      int begin = 2 + lengthBytes(encoded, 1);
      int length = encoded[begin + 1];
      if (encoded[begin] != SEQUENCE || length < 0) {
        throw new CertificateFault("The certificate's public key has an unknown form.");
      }
      return Arrays.copyOfRange(encoded, begin, begin + 2 + length);
    }

    /** The further bytes of a DER length, after its first. */
    private static int lengthBytes(byte[] der, int at) {
      return der[at] < 0 ? der[at] & MAX_SHORT_LENGTH : 0;
    }

    private static byte[] element(int tag, byte[] content) {
      ByteArrayOutputStream element = new ByteArrayOutputStream();
      element.write(tag);
      if (content.length > 0xff) {
        element.write(0x82);
        element.write(content.length >> Byte.SIZE);
      } else if (content.length > MAX_SHORT_LENGTH) {
        element.write(0x81);
      }
      element.write(content.length); // its lowest byte
      element.writeBytes(content);
      return element.toByteArray();
    }
  }
}
