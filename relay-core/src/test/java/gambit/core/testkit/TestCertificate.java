package gambit.core.testkit;

import gambit.core.tls.PemBlock;
import gambit.core.tls.TlsCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for localhost that its own key has signed, made by Java's keytool. */
public final class TestCertificate {
  private static final String PASSWORD = "secret";

  private final X509Certificate certificate;
  private final PrivateKey key;

  private TestCertificate(X509Certificate certificate, PrivateKey key) {
    this.certificate = certificate;
    this.key = key;
  }

  /** A certificate with a key of the curve P-256, valid for 90 days. */
  public static TestCertificate ofLocalhost() {
    return of("-keyalg", "EC");
  }

  /** A certificate with further options of {@code keytool -genkeypair}. */
  public static TestCertificate of(String... options) {
    try {
      Path directory = Files.createTempDirectory("gambit-certificate");
      Path file = directory.resolve("keys");
      List<String> command =
          new ArrayList<>(
              List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
      command.addAll(
          List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")); // it starts faster
      String rest = "-genkeypair -alias a -dname CN=localhost -ext san=dns:localhost,ip:127.0.0.1";
      command.addAll(List.of(rest.split(" ")));
      command.addAll(List.of("-storepass", PASSWORD, "-keystore", file.toString()));
      command.addAll(List.of(options));
      Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (keytool.waitFor() != 0) {
        throw new AssertionError(output);
      }
      KeyStore keys = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(file)) {
        keys.load(in, PASSWORD.toCharArray());
      }
      Files.delete(file);
      Files.delete(directory);
      return new TestCertificate(
          (X509Certificate) keys.getCertificate("a"),
          (PrivateKey) keys.getKey("a", PASSWORD.toCharArray()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException | InterruptedException e) {
      throw new AssertionError(e);
    }
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
