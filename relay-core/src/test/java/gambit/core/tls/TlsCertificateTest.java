package gambit.core.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.testkit.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates and keys in files. */
class TlsCertificateTest {
  private static final TestCertificate EC = TestCertificate.ofLocalhost();
  private static final TestCertificate RSA = TestCertificate.withRsaKey();

  @TempDir private Path directory;

  private Path file(String name, String... content) throws IOException {
    return Files.writeString(directory.resolve(name), String.join("", content));
  }

  /** The third field of PKCS#8, after the version and the algorithm. */
  private static String unwrapped(String label, TestCertificate from) {
    byte[] pkcs8 = from.key().getEncoded();
    int algorithm = contentOf(pkcs8, 0) + 3;
    int key = contentOf(pkcs8, algorithm) + pkcs8[algorithm + 1];
    return PemBlock.text(label, Arrays.copyOfRange(pkcs8, contentOf(pkcs8, key), pkcs8.length));
  }

  /** Where the content of the DER element at that place begins. */
  private static int contentOf(byte[] der, int element) {
    int length = der[element + 1];
    return element + 2 + (length < 0 ? length & 0x7f : 0);
  }

  @Test
  void keysOfAllThreeFormsAreRead() throws Exception {
    Path ec = file("ec.pem", EC.certificatePem());
    Path rsa = file("rsa.pem", RSA.certificatePem());
    String sec1 = unwrapped("EC PRIVATE KEY", EC);
    String parameters = PemBlock.text("EC PARAMETERS", new byte[] {6, 1, 1});
    String pkcs1 = unwrapped("RSA PRIVATE KEY", RSA);
    assertThat(TlsCertificate.read(ec, file("k1", EC.keyPem())).key()).isEqualTo(EC.key());
    assertThat(TlsCertificate.read(ec, file("k2", parameters, sec1)).key()).isEqualTo(EC.key());
    assertThat(TlsCertificate.read(rsa, file("k3", RSA.keyPem())).key()).isEqualTo(RSA.key());
    assertThat(TlsCertificate.read(rsa, file("k4", pkcs1)).key()).isEqualTo(RSA.key());
  }

  @Test
  void chainIsReadInOrderWithTextBetweenItsBlocks() throws Exception {
    Path chain = file("c", "subject=a - b\n", EC.certificatePem(), "\n", RSA.certificatePem());
    TlsCertificate read = TlsCertificate.read(chain, file("k", EC.keyPem()));
    assertThat(read.chain()).containsExactly(EC.certificate(), RSA.certificate());
    assertThat(read.toString()).startsWith("CN=localhost, valid until ");
  }

  @Test
  void oneFileMayHaveBoth() throws Exception {
    Path both = file("both", EC.keyPem(), EC.certificatePem());
    assertThat(TlsCertificate.read(both, both).leaf()).isEqualTo(EC.certificate());
  }

  @Test
  void faultsNameTheFileAndNeverShowTheKey() throws Exception {
    Path good = file("good.pem", EC.certificatePem());
    Path key = file("good.key", EC.keyPem());
    Path missing = directory.resolve("missing");
    Path other = file("other.key", TestCertificate.ofLocalhost().keyPem());
    Path rsa = file("rsa.key", RSA.keyPem());
    Path encrypted = file("e.key", PemBlock.text("ENCRYPTED PRIVATE KEY", new byte[9]));
    Path traditional =
        file(
            "t.key",
            unwrapped("EC PRIVATE KEY", EC)
                .replaceFirst("\n", "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\n"));
    Path garbage = file("garbage", PemBlock.text("CERTIFICATE", new byte[40]));
    Path truncated = file("truncated", EC.certificatePem().substring(0, 300));
    Path broken = file("broken.key", PemBlock.text("EC PRIVATE KEY", new byte[300]));
    Path large = file("large", " ".repeat(1_100_000));
    assertFault(missing, key, missing + " cannot be read: there is no such file.");
    assertFault(good, missing, missing + " cannot be read: there is no such file.");
    assertFault(directory, key, directory + " cannot be read: ");
    assertFault(key, key, key + " has no certificate in PEM format");
    assertFault(good, good, good + " has no private key in PEM format");
    assertFault(good, other, other + " is not the key of the first certificate in " + good);
    assertFault(good, rsa, rsa + " has no EC key, which the certificate needs.");
    assertFault(good, encrypted, encrypted + " has an encrypted key");
    assertFault(good, traditional, traditional + " has an encrypted key");
    assertFault(garbage, key, garbage + " has a certificate that cannot be read.");
    assertFault(truncated, key, truncated + " has no certificate in PEM format");
    assertFault(good, broken, broken + " has no EC key");
    assertFault(large, key, large + " is too large");
    Path endless = Path.of("/dev/zero");
    if (Files.exists(endless)) {
      assertFault(endless, key, endless + " is too large");
    }
  }

  private static void assertFault(Path chain, Path key, String message) {
    assertThatThrownBy(() -> TlsCertificate.read(chain, key))
        .isInstanceOf(CertificateFault.class)
        .hasMessageStartingWith(message);
  }
}
