package gambit.app.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.testkit.ClassLog;
import gambit.core.testkit.TestCertificate;
import gambit.core.testkit.TestMetrics;
import gambit.core.tls.CertificateFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates that are replaced while the relay runs. */
class CertificateFilesTest {
  private static final TestCertificate FIRST = TestCertificate.ofLocalhost();
  private static final TestCertificate NEXT = TestCertificate.ofLocalhost();
  private static final TestCertificate EXPIRED =
      TestCertificate.valid(Duration.ofDays(10), Duration.ofDays(5));

  @TempDir private Path directory;
  private final TestMetrics metrics = new TestMetrics();
  private CertificateFiles files;

  @BeforeEach
  void start() throws Exception {
    write(FIRST.certificatePem(), FIRST.keyPem());
    files = new CertificateFiles(certificate(), key(), InstantSource.system(), metrics);
  }

  @AfterEach
  void end() {
    files.close();
  }

  private Path certificate() {
    return directory.resolve("fullchain.pem");
  }

  private Path key() {
    return directory.resolve("privkey.pem");
  }

  private void write(String certificate, String key) throws IOException {
    Files.writeString(certificate(), certificate);
    Files.writeString(key(), key);
  }

  private X509Certificate used() {
    return files.tls().certificate().leaf();
  }

  @Test
  void newPairIsUsedOnceItHasNotChangedForAnInterval() throws Exception {
    Files.writeString(certificate(), NEXT.certificatePem());
    files.look();
    Files.writeString(key(), NEXT.keyPem() + " ");
    files.look();
    assertThat(used()).isEqualTo(FIRST.certificate());
    files.look();
    assertThat(used()).isEqualTo(NEXT.certificate());
    assertThat(metrics.read("tls_certificate_reloads{result=loaded}")).isEqualTo(1);
    assertThat(metrics.read("tls_certificate_reloads{result=refused}")).isZero();
  }

  @Test
  void badPairChangesNothingAndIsLoggedOnce() throws Exception {
    try (ClassLog log = new ClassLog(CertificateFiles.class)) {
      Files.writeString(certificate(), NEXT.certificatePem() + " ");
      for (int i = 0; i < 4; i++) {
        files.look();
      }
      assertThat(used()).isEqualTo(FIRST.certificate());
      assertThat(log.messages()).hasSize(1);
      assertThat(log.messages().get(0))
          .startsWith("The certificate was not changed: " + key() + " is not the key of ");
      assertThat(metrics.read("tls_certificate_reloads{result=refused}")).isEqualTo(1);
      Files.delete(key());
      files.look();
      files.look();
      assertThat(log.messages()).hasSize(2);
      Files.writeString(key(), NEXT.keyPem());
      files.look();
      files.look();
      assertThat(used()).isEqualTo(NEXT.certificate());
    }
  }

  @Test
  void reloadReadsAtOnceAndRefusesAnExpiredCertificate() throws Exception {
    write(EXPIRED.certificatePem(), EXPIRED.keyPem());
    assertThatThrownBy(() -> files.read())
        .isInstanceOf(CertificateFault.class)
        .hasMessageEndingWith("fullchain.pem has expired.");
    write(NEXT.certificatePem(), NEXT.keyPem());
    assertThat(files.use(files.read())).isTrue();
    assertThat(used()).isEqualTo(NEXT.certificate());
    assertThat(files.use(files.read())).as("a change").isFalse();
  }

  @Test
  void expiredCertificateIsUsedAtTheStartWithAWarning() throws Exception {
    write(EXPIRED.certificatePem(), EXPIRED.keyPem());
    try (ClassLog log = new ClassLog(CertificateFiles.class);
        CertificateFiles expired =
            new CertificateFiles(certificate(), key(), InstantSource.system(), metrics)) {
      assertThat(expired.tls().certificate().leaf()).isEqualTo(EXPIRED.certificate());
      assertThat(log.messages()).hasSize(1);
    }
  }

  @Test
  void certificateInUseThatHasExpiredIsValidInAReloadAndAnotherExpiredOneIsNot() throws Exception {
    Instant afterExpiry = FIRST.certificate().getNotAfter().toInstant().plusSeconds(1);
    AtomicReference<Instant> time = new AtomicReference<>(Instant.now());
    try (ClassLog log = new ClassLog(CertificateFiles.class);
        CertificateFiles running = new CertificateFiles(certificate(), key(), time::get, metrics)) {
      time.set(afterExpiry);
      assertThat(running.use(running.read())).as("a change").isFalse();
      Files.setLastModifiedTime(certificate(), FileTime.from(afterExpiry));
      assertThat(running.read().leaf()).as("written again").isEqualTo(FIRST.certificate());
      assertThat(log.messages())
          .containsOnly("The certificate in " + certificate() + " has expired: clients refuse it");
      write(EXPIRED.certificatePem(), EXPIRED.keyPem());
      assertThatThrownBy(running::read).isInstanceOf(CertificateFault.class);
      Files.delete(certificate());
      assertThatThrownBy(running::read).isInstanceOf(CertificateFault.class);
    }
  }
}
