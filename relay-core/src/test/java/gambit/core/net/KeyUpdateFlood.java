package gambit.core.net;

import gambit.core.testkit.RawSocket;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * A process whose client of TLS 1.3 requests new keys with every record and reads no answer, until
 * it is disconnected. A security property of the process makes Java's client do so.
 */
final class KeyUpdateFlood {
  private static final byte[] PONG =
      RawSocket.maskedFrame(RawSocket.FINAL | RawSocket.PONG, new byte[0]);
  private static final int MAX_RECORDS = 5_000_000;

  private KeyUpdateFlood() {}

  /** Starts the process; it ends with status 0 once it is disconnected. */
  static Process start(int port, String certificatePem, Path directory) throws IOException {
    Path properties = directory.resolve("security.properties");
    Files.writeString(properties, "jdk.tls.keyLimits=AES/GCM/NoPadding KeyUpdate 16\n");
    Path certificate = Files.writeString(directory.resolve("certificate.pem"), certificatePem);
    return new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-Djava.security.properties=" + properties,
                "-cp",
                System.getProperty("java.class.path"),
                KeyUpdateFlood.class.getName(),
                "" + port,
                "" + certificate))
        .inheritIO()
        .start();
  }

  public static void main(String[] arguments) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (var pem = Files.newInputStream(Path.of(arguments[1]))) {
      trusted.setCertificateEntry(
          "a", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    try (SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]))) {
      socket.setEnabledProtocols(new String[] {"TLSv1.3"});
      OutputStream out = socket.getOutputStream();
      out.write(RawSocket.UPGRADE.getBytes(StandardCharsets.US_ASCII));
      for (int i = 0; i < MAX_RECORDS; i++) {
        try {
          out.write(PONG);
        } catch (IOException e) {
          return;
        }
      }
    }
    throw new AssertionError("still connected");
  }
}
