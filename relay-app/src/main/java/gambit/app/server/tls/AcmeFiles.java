package gambit.app.server.tls;

import gambit.app.common.ErrorMessages;
import gambit.app.server.tls.TlsSettings.AcmeSettings;
import gambit.core.files.Directories;
import gambit.core.tls.CertificateFault;
import gambit.core.tls.PemBlock;
import gambit.core.tls.TlsCertificate;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.Optional;

/**
 * The directory {@code acme} of the data directory, for its owner only. Each file is replaced as a
 * whole, so that a process that is killed leaves the former one or the next one. A file is of PEM
 * blocks, after a line that says for which authority and domain it is.
 *
 * <ul>
 *   <li>{@code certificate.pem}: the certificate of the port with its chain and its key.
 *   <li>{@code account.pem}: the key of the account.
 *   <li>{@code order.pem}: while a certificate is ordered, the URL of the order, and the key for
 *       the certificate. With it, the order is continued after a restart.
 * </ul>
 *
 * <p>On the thread of the orders, after the start.
 */
public final class AcmeFiles {
  record OpenOrder(URL url, KeyPair key) {}

  private static final String PRIVATE_KEY = "PRIVATE KEY";
  private static final String PUBLIC_KEY = "PUBLIC KEY";

  private final Path certificate;
  private final Path account;
  private final Path order;
  private final String owner;

  /** Creates the directory, and a certificate if there is none that can be used. */
  public AcmeFiles(Path data, AcmeSettings settings, Instant now) throws CertificateFault {
    Path directory = data.resolve("acme");
    certificate = directory.resolve("certificate.pem");
    account = directory.resolve("account.pem");
    order = directory.resolve("order.pem");
    String domain = settings.domain();
    owner = settings.directory() + " " + domain;
    try {
      Directories.createPrivate(directory);
      if (!isUsable()) {
        writeCertificate(SignedNames.placeholder(domain, now), "none " + domain);
      }
    } catch (IOException e) {
      throw new CertificateFault(directory + " cannot be written: " + ErrorMessages.of(e) + ".");
    }
  }

  public static boolean hasCertificate(Path data, String domain) {
    try {
      String line = firstLine(data.resolve("acme").resolve("certificate.pem"));
      return line.endsWith(" " + domain) && !line.startsWith("none ");
    } catch (IOException e) {
      return false;
    }
  }

  private boolean isUsable() {
    try {
      return TlsCertificate.read(certificate, certificate).leaf() != null;
    } catch (CertificateFault e) {
      return false;
    }
  }

  public Path certificate() {
    return certificate;
  }

  /** Whether the certificate is one for the domain from the authority. */
  boolean isOfTheAuthority() throws IOException {
    return firstLine(certificate).equals(owner);
  }

  void writeCertificate(TlsCertificate certificate) throws IOException {
    writeCertificate(certificate, owner);
  }

  private void writeCertificate(TlsCertificate certificate, String line) throws IOException {
    StringBuilder text = new StringBuilder(line).append('\n');
    text.append(PemBlock.text(PRIVATE_KEY, certificate.key().getEncoded()));
    try {
      for (X509Certificate each : certificate.chain()) {
        text.append(PemBlock.text("CERTIFICATE", each.getEncoded()));
      }
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a parsed certificate has an encoding", e);
    }
    write(this.certificate, text.toString());
  }

  /** The key of the account, which is made if there is none, or none that can be read. */
  KeyPair accountKey() throws IOException {
    Optional<KeyPair> key = readKey(account);
    return key.isPresent() ? key.get() : newAccountKey();
  }

  KeyPair newAccountKey() throws IOException {
    Files.deleteIfExists(order); // of the former account
    KeyPair key = SignedNames.newKey();
    write(account, "account\n" + text(key));
    return key;
  }

  /** The order that is under way with the authority for the domain. */
  Optional<OpenOrder> readOrder() throws IOException {
    String line = firstLine(order);
    String url = line.substring(line.lastIndexOf(' ') + 1);
    Optional<KeyPair> key = readKey(order);
    if (key.isEmpty() || !line.equals(owner + " " + url)) {
      return Optional.empty();
    }
    try {
      return Optional.of(new OpenOrder(new URL(url), key.get()));
    } catch (MalformedURLException e) {
      return Optional.empty();
    }
  }

  void writeOrder(OpenOrder open) throws IOException {
    write(order, owner + " " + open.url() + "\n" + text(open.key()));
  }

  void deleteOrder() throws IOException {
    Files.deleteIfExists(order);
  }

  private static String text(KeyPair key) {
    return PemBlock.text(PRIVATE_KEY, key.getPrivate().getEncoded())
        + PemBlock.text(PUBLIC_KEY, key.getPublic().getEncoded());
  }

  private static Optional<KeyPair> readKey(Path file) {
    try {
      byte[] secret = new byte[0];
      byte[] open = new byte[0];
      for (PemBlock block : PemBlock.read(file)) {
        secret = block.label().equals(PRIVATE_KEY) ? block.der(file) : secret;
        open = block.label().equals(PUBLIC_KEY) ? block.der(file) : open;
      }
      KeyFactory factory = KeyFactory.getInstance("EC");
      return Optional.of(
          new KeyPair(
              factory.generatePublic(new X509EncodedKeySpec(open)),
              factory.generatePrivate(new PKCS8EncodedKeySpec(secret))));
    } catch (CertificateFault | GeneralSecurityException e) {
      return Optional.empty();
    }
  }

  private static String firstLine(Path file) throws IOException {
    return Files.exists(file)
        ? Files.readString(file, StandardCharsets.ISO_8859_1).lines().findFirst().orElse("")
        : "";
  }

  private static void write(Path file, String text) throws IOException {
    Directories.replacePrivate(file, text.getBytes(StandardCharsets.ISO_8859_1));
  }
}
