package gambit.core.testkit;

import gambit.core.tls.PemBlock;
import gambit.core.tls.TlsCertificate;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for localhost that its own key has signed. */
public final class TestCertificate {
  private static final String PASSWORD = "secret";

  private static final HexFormat HEX = HexFormat.of();
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  // the tags of DER elements
  private static final int INTEGER = 2;
  private static final int BITS = 3;
  private static final int OCTETS = 4;
  private static final int UTF8 = 0x0c;
  private static final int UTC_TIME = 0x17;
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final int DNS_NAME = 0x82;
  private static final int IP_ADDRESS = 0x87;
  private static final int VERSION = 0xa0;
  private static final int EXTENSIONS = 0xa3;

  // object identifiers, in DER; that of RSA is followed by its empty parameters
  private static final String EC_SIGNATURE = "06082a8648ce3d040302";
  private static final String RSA_SIGNATURE = "06092a864886f70d01010b0500";
  private static final String COMMON_NAME = "0603550403";
  private static final String ALTERNATIVE_NAMES = "0603551d11";

  private static final Duration USUAL_VALIDITY = Duration.ofDays(90);

  private static final byte[] LOCALHOST =
      joined(der(DNS_NAME, "localhost"), der(IP_ADDRESS, new byte[] {127, 0, 0, 1}));

  private final X509Certificate certificate;
  private final PrivateKey key;

  private TestCertificate(X509Certificate certificate, PrivateKey key) {
    this.certificate = certificate;
    this.key = key;
  }

  /** A certificate with a key of the curve P-256, valid for 90 days. */
  public static TestCertificate ofLocalhost() {
    return valid(Duration.ZERO, USUAL_VALIDITY);
  }

  /** A certificate for the name localhost, but not for its address. */
  public static TestCertificate ofLocalhostByName() {
    return ofCurve(der(DNS_NAME, "localhost"), Instant.now(), USUAL_VALIDITY);
  }

  /** A certificate with an RSA key. */
  public static TestCertificate withRsaKey() {
    KeyPair keys = keys("RSA", 2048);
    return of(keys, "SHA256withRSA", RSA_SIGNATURE, LOCALHOST, Instant.now(), USUAL_VALIDITY);
  }

  /** A certificate that is valid from that time ago, for a time. */
  public static TestCertificate valid(Duration ago, Duration validity) {
    return ofCurve(LOCALHOST, Instant.now().minus(ago), validity);
  }

  private static TestCertificate ofCurve(byte[] names, Instant start, Duration validity) {
    return of(keys("EC", 256), "SHA256withECDSA", EC_SIGNATURE, names, start, validity);
  }

  private static KeyPair keys(String algorithm, int size) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      generator.initialize(size);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** Writes the structures of RFC 5280 in DER. */
  private static TestCertificate of(
      KeyPair keys, String algorithm, String oid, byte[] names, Instant start, Duration validity) {
    byte[] signatureAlgorithm = der(SEQUENCE, HEX.parseHex(oid));
    byte[] name =
        der(SEQUENCE, der(SET, der(SEQUENCE, HEX.parseHex(COMMON_NAME), der(UTF8, "localhost"))));
    byte[] extension =
        der(SEQUENCE, HEX.parseHex(ALTERNATIVE_NAMES), der(OCTETS, der(SEQUENCE, names)));
    byte[] signed =
        der(
            SEQUENCE,
            der(VERSION, der(INTEGER, new byte[] {2})),
            der(INTEGER, new BigInteger(64, new SecureRandom()).toByteArray()),
            signatureAlgorithm,
            name,
            der(SEQUENCE, time(start), time(start.plus(validity))),
            name,
            keys.getPublic().getEncoded(),
            der(EXTENSIONS, der(SEQUENCE, extension)));
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(keys.getPrivate());
      signature.update(signed);
      byte[] bits = der(BITS, new byte[1], signature.sign());
      byte[] whole = der(SEQUENCE, signed, signatureAlgorithm, bits);
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      InputStream in = new ByteArrayInputStream(whole);
      return new TestCertificate(
          (X509Certificate) factory.generateCertificate(in), keys.getPrivate());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] time(Instant time) {
    return der(UTC_TIME, TIME.format(time));
  }

  private static byte[] der(int tag, String text) {
    return der(tag, text.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] der(int tag, byte[]... parts) {
    byte[] content = joined(parts);
    int length = content.length;
    byte[] head;
    if (length < 0x80) {
      head = new byte[] {(byte) tag, (byte) length};
    } else if (length < 0x100) {
      head = new byte[] {(byte) tag, (byte) 0x81, (byte) length};
    } else {
      head = new byte[] {(byte) tag, (byte) 0x82, (byte) (length >> 8), (byte) length};
    }
    return joined(head, content);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  public X509Certificate certificate() {
    return certificate;
  }

  public PrivateKey key() {
    return key;
  }

  /** The certificate as the relay reads it. */
  public TlsCertificate tls() {
    return new TlsCertificate(List.of(certificate), key);
  }

  /** The certificate in PEM format. */
  public String certificatePem() {
    try {
      return PemBlock.text("CERTIFICATE", certificate.getEncoded());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** The key in PEM format, as PKCS#8. */
  public String keyPem() {
    return PemBlock.text("PRIVATE KEY", key.getEncoded());
  }

  /** What a server with this certificate uses. */
  public SSLContext serving() {
    try {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      keys.setKeyEntry("a", key, PASSWORD.toCharArray(), new X509Certificate[] {certificate});
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(keys, PASSWORD.toCharArray());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(factory.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Trust in this certificate only. */
  public SSLContext trusting() {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("a", certificate);
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new AssertionError(e);
    }
  }

  /** A socket to a port of this machine, after the handshake, with these versions of TLS or any. */
  public SSLSocket connect(int port, String... versions) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            trusting().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
    if (versions.length > 0) {
      socket.setEnabledProtocols(versions);
    }
    socket.startHandshake();
    return socket;
  }
}
