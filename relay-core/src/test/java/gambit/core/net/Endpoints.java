package gambit.core.net;

import gambit.core.limit.CurrentLimits;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.limit.MemoryBound;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.rate.RateLimiter;
import gambit.core.rate.RateLimits;
import gambit.core.session.Lifecycle;
import gambit.core.testkit.TestMetrics;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** The relay's transport with another endpoint instead of a relay; compression is on. */
final class Endpoints {
  private Endpoints() {}

  /** What channels work with. */
  static Endpoint of(
      Endpoint.Conversations conversations,
      LimitValues limits,
      MemoryBound unfinished,
      TestMetrics metrics,
      Consumer<Throwable> onDeath) {
    return of(conversations, limits, unfinished, metrics, InstantSource.system(), onDeath);
  }

  /** Only HTTP, with a web page; no request is upgraded. */
  static Endpoint of(WebPage page) {
    return of(
        (channel, reading, client, outbox) -> {
          throw new AssertionError("no request of this test is upgraded");
        },
        page,
        LimitValues.DEFAULT,
        new MemoryBound(Long.MAX_VALUE),
        new TestMetrics(),
        InstantSource.system(),
        failure -> {
          throw new AssertionError(failure);
        });
  }

  /** The same by another clock. */
  static Endpoint of(
      Endpoint.Conversations conversations,
      LimitValues limits,
      MemoryBound unfinished,
      TestMetrics metrics,
      InstantSource time,
      Consumer<Throwable> onDeath) {
    return of(conversations, WebPage.NONE, limits, unfinished, metrics, time, onDeath);
  }

  private static Endpoint of(
      Endpoint.Conversations conversations,
      WebPage page,
      LimitValues limits,
      MemoryBound unfinished,
      TestMetrics metrics,
      InstantSource time,
      Consumer<Throwable> onDeath) {
    CurrentLimits current = new CurrentLimits(limits);
    Clients clients = new Clients(current);
    MemoryBound outboxes = new MemoryBound(limits.getLong(Limit.ALL_OUTBOX_BYTES));
    return new Endpoint(
        conversations,
        new AtomicReference<>(
            new PortSettings("{}", page, new TransportSettings(true, TrustedProxies.NONE))),
        PortExtensions.NONE,
        OperatorToken.NONE,
        current,
        new RateLimiter(RateLimits.NONE, System::nanoTime),
        outboxes,
        unfinished,
        clients,
        new Endpoint.DeferredMessages(),
        new ServerMetrics(metrics, clients, outboxes),
        null,
        new Lifecycle(time, new AtomicBoolean(), onDeath));
  }

  /** The same endpoint with TLS. */
  static Endpoint withTls(ServerTls tls, Endpoint plain) {
    return new Endpoint(
        plain.conversations(),
        plain.settings(),
        plain.extensions(),
        plain.operator(),
        plain.limits(),
        plain.rates(),
        plain.outboxes(),
        plain.incompleteMessages(),
        plain.clients(),
        plain.deferred(),
        plain.metrics(),
        new TlsHandshakes(tls, new TestMetrics(), plain.lifecycle()),
        plain.lifecycle());
  }

  /** Listens on loopback, at a free port. */
  static RelayServer listen(Endpoint endpoint) throws BindException {
    return new RelayServer(endpoint, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }
}
