package gambit.core.net;

import gambit.core.metrics.Metrics;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.internal.PlatformDependent;

/** What happens at the port, counted. Thread-safe. */
final class ServerMetrics {
  private final Metrics metrics;
  private final Metrics.Counter opened;

  ServerMetrics(Metrics metrics, Clients clients) {
    this.metrics = metrics;
    this.opened = metrics.counter("connections_opened", "WebSockets opened");
    for (CloseCause why : CloseCause.values()) {
      counter(why); // so that each is seen before it happens
    }
    metrics.gauge("connections", "Clients connected", clients.webSockets()::size);
    metrics.gauge("requesting", "Connections that are no WebSocket (yet)", clients::requesting);
    metrics.gauge(
        "buffer_bytes",
        "Memory outside of the heap in which messages come and go",
        PlatformDependent::usedDirectMemory);
  }

  void opened() {
    opened.increment();
  }

  void closed(CloseCause why) {
    counter(why).increment();
  }

  private Metrics.Counter counter(CloseCause why) {
    return metrics.counter("connections_closed", "WebSockets ended", "reason", why.label());
  }

  void answered(HttpResponseStatus status) {
    metrics
        .counter("http_answers", "Answers over HTTP", "status", Integer.toString(status.code()))
        .increment();
  }
}
