package gambit.app.server.tls;

import gambit.app.common.ErrorMessages;
import gambit.app.server.tls.TlsSettings.AcmeSettings;
import gambit.core.metrics.Metrics;
import gambit.core.tls.TlsCertificate;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Obtains the certificate of a relay with a domain, and another one when a third of its time is
 * left; the former one is in use until then. Looks every minute whether there is something to do.
 * After a failure it waits for a minute, then four times as long each time, at most six hours, or
 * until the authority wants to be asked again, at most a week. A thread of its own.
 */
public final class CertificateOrders implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofMinutes(1);
  private static final Duration LONGEST_PAUSE = Duration.ofHours(6);

  /**
   * The longest pause that an authority may want; and that after a certificate which is too old by
   * the clock of this machine, as another one would be.
   */
  private static final Duration WEEK = Duration.ofDays(7);

  private static final Logger LOG = LoggerFactory.getLogger(CertificateOrders.class);

  private final AcmeSettings settings;
  private final AcmeFiles files;
  private final CertificateFiles port;
  private final CertificateAuthority authority;
  private final InstantSource time;
  private final Metrics.Counter obtained;
  private final Metrics.Counter failed;
  private final @Nullable RedirectPort http;
  private final ScheduledExecutorService thread;

  private boolean isOther; // the certificate in use is not one of the settings
  private int failures; // since the last certificate
  private Instant last = Instant.MIN;
  private Instant next = Instant.MIN;

  /**
   * Opens the port that redirects to https. Nothing is ordered before {@link #start}.
   *
   * @param listening the address of the relay's port, with which it listens by now
   */
  public CertificateOrders(
      AcmeSettings settings,
      AcmeFiles files,
      CertificateFiles port,
      InetSocketAddress listening,
      InstantSource time,
      Metrics metrics,
      Consumer<Throwable> onDeath) {
    this.settings = settings;
    this.files = files;
    this.port = port;
    this.time = time;
    this.obtained = counter(metrics, "obtained");
    this.failed = counter(metrics, "failed");
    authority = new CertificateAuthority(settings, files, port.tls(), listening.getPort(), time);
    http = redirectPort(settings, listening, onDeath);
    thread = CertificateFiles.thread("certificate-orders");
  }

  private static Metrics.Counter counter(Metrics metrics, String result) {
    return metrics.counter(
        "tls_certificate_orders",
        "Orders of a certificate for the relay's domain, by their result",
        "result",
        result);
  }

  private static @Nullable RedirectPort redirectPort(
      AcmeSettings settings, InetSocketAddress listening, Consumer<Throwable> onDeath) {
    if (settings.httpPort() == 0) {
      return null;
    }
    try {
      InetSocketAddress address =
          new InetSocketAddress(listening.getAddress(), settings.httpPort());
      return new RedirectPort(address, settings.domain(), onDeath);
    } catch (IOException e) {
      LOG.warn(
          "Port {} is not redirected to https, which does not hinder the certificate: {}",
          settings.httpPort(),
          ErrorMessages.of(e));
      return null;
    }
  }

  /** Orders a certificate now if one is due, and looks every minute from then on. */
  public void start() {
    thread.scheduleWithFixedDelay(this::look, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Looks once; on the thread of the orders, or that of a test. */
  synchronized void look() {
    try {
      TlsCertificate used = port.tls().certificate();
      isOther = !files.isOfTheAuthority();
      Instant now = time.instant();
      if (!isDue(used, now)) {
        files.deleteOrder(); // of this certificate, when the process was killed
        port.report(null);
        failures = 0;
        next = Instant.MIN;
      } else if (!now.isBefore(next) || now.isBefore(last)) { // or the clock was set back
        last = now;
        order(now);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the relay ends
    } catch (IOException | RuntimeException e) {
      LOG.error("The certificate for {} could not be ordered", settings.domain(), e);
      fail(new OrderFailure("the directory acme cannot be used: " + ErrorMessages.of(e) + "."));
    }
  }

  private boolean isDue(TlsCertificate certificate, Instant now) {
    Instant begin = certificate.leaf().getNotBefore().toInstant();
    Instant end = certificate.expiry();
    return isOther || now.isAfter(end.minus(Duration.between(begin, end).dividedBy(3)));
  }

  private void order(Instant now) throws IOException, InterruptedException {
    LOG.info("A certificate for {} is ordered from {}", settings.domain(), settings.directory());
    try {
      TlsCertificate made = ordered();
      port.use(made);
      obtained.increment();
      isOther = false;
      failures = 0;
      if (isDue(made, now)) {
        next = now.plus(WEEK);
        report(
            "the new one is valid until %s, but the clock of this machine says %s: set the clock."
                .formatted(made.expiry(), now.truncatedTo(ChronoUnit.SECONDS)));
      } else {
        port.report(null);
      }
    } catch (OrderFailure e) {
      fail(e);
    }
  }

  /** By the port of TLS; at first, by that of HTTP as well, later by the two in turn. */
  private TlsCertificate ordered() throws OrderFailure, IOException, InterruptedException {
    boolean isByHttp = failures > 0 && failures % 2 == 0;
    try {
      return authority.order(isByHttp ? http : null);
    } catch (OrderFailure e) {
      if (failures > 0 || http == null || !e.isOfChallenge()) {
        throw e;
      }
      LOG.info("There was no proof at the relay's port, and it is tried by port {}", http.port());
      return authority.order(http);
    }
  }

  private void fail(OrderFailure failure) {
    failed.increment();
    Instant now = time.instant();
    Duration pause = INTERVAL.multipliedBy(1L << 2 * Math.min(failures++, 5));
    next = now.plus(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
    next = failure.retry().filter(next::isBefore).orElse(next);
    next = next.isBefore(now.plus(WEEK)) ? next : now.plus(WEEK);
    report(
        failure.getMessage()
            + " The next attempt is at "
            + next.truncatedTo(ChronoUnit.SECONDS)
            + ".");
  }

  private void report(String sentence) {
    LOG.warn("No certificate for {}: {}", settings.domain(), sentence);
    port.report(sentence);
  }

  @Override
  public void close() {
    thread.shutdownNow();
    if (http != null) {
      http.close();
    }
  }
}
