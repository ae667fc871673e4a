package gambit.app.server.tls;

import gambit.core.log.LimitedLog;
import gambit.core.metrics.Metrics;
import gambit.core.net.ServerTls;
import gambit.core.tls.CertificateFault;
import gambit.core.tls.TlsCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The files of the certificate of the relay's port. They are looked at every {@link #INTERVAL}, and
 * are read when their time or size has changed and has then been the same for one interval, because
 * two files are not replaced at once. A new certificate that cannot be used changes nothing and is
 * logged. Thread-safe.
 */
public final class CertificateFiles implements AutoCloseable {
  public static final Duration INTERVAL = Duration.ofSeconds(5);

  private static final LimitedLog LOG = LimitedLog.of(CertificateFiles.class);

  private final Path certificate;
  private final Path key;
  private final InstantSource time;
  private final ServerTls tls;
  private final Metrics.Counter loaded;
  private final Metrics.Counter refused;
  private final ScheduledExecutorService thread;
  private volatile @Nullable String problem;
  private List<String> tried; // the state of the files that were read last
  private List<String> seen; // the state of the files at the last look

  /** Reads the files, which are looked at from then on; an expired certificate can be used. */
  public CertificateFiles(Path certificate, Path key, InstantSource time, Metrics metrics)
      throws CertificateFault {
    this.certificate = certificate;
    this.key = key;
    this.time = time;
    tried = state();
    seen = tried;
    TlsCertificate first = TlsCertificate.read(certificate, key);
    tls = new ServerTls(first);
    if (hasExpired(first)) {
      warnOfExpiry();
    }
    loaded = counter(metrics, "loaded");
    refused = counter(metrics, "refused");
    thread = thread("certificate-files");
    long millis = INTERVAL.toMillis();
    thread.scheduleWithFixedDelay(this::look, millis, millis, TimeUnit.MILLISECONDS);
  }

  /** A thread that does not keep the process alive. */
  static ScheduledExecutorService thread(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        task -> {
          Thread made = new Thread(task, name);
          made.setDaemon(true);
          return made;
        });
  }

  private static Metrics.Counter counter(Metrics metrics, String result) {
    return metrics.counter(
        "tls_certificate_reloads",
        "Changed certificates of the relay's port that were put in use or refused",
        "result",
        result);
  }

  public ServerTls tls() {
    return tls;
  }

  public Instant until() {
    return tls.certificate().expiry();
  }

  /** Why there is no other certificate than the one in use, in a sentence for the operator. */
  public Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  /** What obtains certificates says why it has none; null if all is well. */
  public void report(@Nullable String sentence) {
    problem = sentence;
  }

  void look() {
    try {
      synchronized (this) {
        List<String> now = state();
        boolean isStable = now.equals(seen);
        seen = now;
        if (!isStable || now.equals(tried)) {
          return;
        }
      }
      use(read());
      problem = null;
    } catch (CertificateFault e) {
      refused.increment();
      problem = e.getMessage();
      LOG.warn("The certificate was not changed: {}", e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("The certificate's files could not be looked at", e);
    }
  }

  /**
   * Reads the files now. The certificate in use is valid also once it has expired, so that other
   * settings can be reloaded before it is renewed; another one that has expired is refused.
   */
  public TlsCertificate read() throws CertificateFault {
    synchronized (this) {
      tried = state();
      seen = tried;
    }
    TlsCertificate next = TlsCertificate.read(certificate, key);
    if (hasExpired(next)) {
      if (!isInUse(next)) {
        throw new CertificateFault("the certificate in " + certificate + " has expired.");
      }
      warnOfExpiry();
    }
    return next;
  }

  /** Puts a certificate in use for new connections; false if it is the one in use. */
  public boolean use(TlsCertificate next) {
    boolean isNew = !isInUse(next);
    if (isNew) {
      tls.change(next);
      loaded.increment();
      LOG.info("The relay's port uses another certificate: {}", next);
    }
    return isNew;
  }

  private boolean isInUse(TlsCertificate other) {
    return other.chain().equals(tls.certificate().chain());
  }

  private void warnOfExpiry() {
    LOG.warn("The certificate in {} has expired: clients refuse it", certificate);
  }

  private boolean hasExpired(TlsCertificate certificate) {
    return certificate.expiry().isBefore(Instant.ofEpochMilli(time.millis()));
  }

  private List<String> state() {
    return List.of(state(certificate), state(key));
  }

  private static String state(Path file) {
    try {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return now.lastModifiedTime() + " " + now.size() + " " + now.fileKey();
    } catch (IOException e) {
      return "unreadable";
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
