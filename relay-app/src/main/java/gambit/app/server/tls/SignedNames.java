package gambit.app.server.tls;

import gambit.core.tls.TlsCertificate;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import javax.security.auth.x500.X500Principal;

/**
 * What a relay signs with a key of its own: requests for a certificate (RFC 2986), certificates for
 * challenges (RFC 8737), and the one that the port has until the first of an authority is there.
 * Java reads such structures, but makes none; libraries that do have ten megabytes.
 */
final class SignedNames {
  /** Whose name a certificate has that the relay itself has signed. */
  static final X500Principal RELAY = new X500Principal("CN=Gambit without an authority");

  private static final Duration VALIDITY = Duration.ofDays(365);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final byte[] ECDSA_WITH_SHA256 =
      sequence(element(0x06, HexFormat.of().parseHex("2a8648ce3d040302")));
  private static final byte[] SUBJECT_ALT_NAME = HexFormat.of().parseHex("551d11");
  private static final byte[] ACME_IDENTIFIER = HexFormat.of().parseHex("2b0601050507011f");
  private static final byte[] EXTENSION_REQUEST = HexFormat.of().parseHex("2a864886f70d01090e");

  private SignedNames() {}

  static KeyPair newKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has P-256", e);
    }
  }

  static TlsCertificate placeholder(String domain, Instant now) {
    return certificate(extension(SUBJECT_ALT_NAME, false, names(domain)), now);
  }

  /** The certificate that proves control of a domain's port; the digest is of 32 bytes. */
  static TlsCertificate challenge(String domain, byte[] digest, Instant now) {
    return certificate(
        joined(
            extension(SUBJECT_ALT_NAME, false, names(domain)),
            extension(ACME_IDENTIFIER, true, element(0x04, digest))),
        now);
  }

  private static TlsCertificate certificate(byte[] extensions, Instant now) {
    KeyPair key = newKey();
    byte[] name = RELAY.getEncoded();
    byte[] content =
        sequence(
            element(0xa0, integer(2)),
            integer(now.toEpochMilli()),
            ECDSA_WITH_SHA256,
            name,
            sequence(time(now.minus(Duration.ofDays(1))), time(now.plus(VALIDITY))),
            name,
            key.getPublic().getEncoded(),
            element(0xa3, sequence(extensions)));
    try {
      return new TlsCertificate(
          List.of(
              (X509Certificate)
                  CertificateFactory.getInstance("X.509")
                      .generateCertificate(new ByteArrayInputStream(signed(content, key)))),
          key.getPrivate());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate of this class can be read", e);
    }
  }

  static byte[] request(String domain, KeyPair key) {
    byte[] extensions = sequence(extension(SUBJECT_ALT_NAME, false, names(domain)));
    byte[] attribute = sequence(element(0x06, EXTENSION_REQUEST), element(0x31, extensions));
    return signed(
        sequence(
            integer(0),
            new X500Principal("").getEncoded(),
            key.getPublic().getEncoded(),
            element(0xa0, attribute)),
        key);
  }

  private static byte[] signed(byte[] content, KeyPair key) {
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(key.getPrivate());
      signature.update(content);
      byte[] bits = joined(new byte[1], signature.sign()); // no unused bits
      return sequence(content, ECDSA_WITH_SHA256, element(0x03, bits));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK signs with P-256", e);
    }
  }

  private static byte[] names(String domain) {
    return sequence(element(0x82, domain.getBytes(StandardCharsets.US_ASCII)));
  }

  private static byte[] extension(byte[] id, boolean isCritical, byte[] value) {
    byte[] critical = isCritical ? element(0x01, new byte[] {-1}) : new byte[0];
    return sequence(element(0x06, id), critical, element(0x04, value));
  }

  private static byte[] integer(long value) {
    return element(0x02, BigInteger.valueOf(value).toByteArray());
  }

  private static byte[] time(Instant at) {
    return element(0x18, TIME.format(at).getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] sequence(byte[]... elements) {
    return element(0x30, joined(elements));
  }

  /** An element in DER (X.690, 8.1), of less than 64 KB. */
  private static byte[] element(int tag, byte[] content) {
    int length = content.length;
    byte[] head;
    if (length < 0x80) {
      head = new byte[] {(byte) tag, (byte) length};
    } else if (length <= 0xff) {
      head = new byte[] {(byte) tag, (byte) 0x81, (byte) length};
    } else {
      head = new byte[] {(byte) tag, (byte) 0x82, (byte) (length >> Byte.SIZE), (byte) length};
    }
    return joined(head, content);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
