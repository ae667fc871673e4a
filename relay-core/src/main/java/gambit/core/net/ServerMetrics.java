package gambit.core.net;

import gambit.core.limit.SharedBound;
import gambit.core.metrics.Metrics;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.internal.PlatformDependent;

/** The metrics of the port: connections, causes of closing, outboxes, HTTP answers. Thread-safe. */
final class ServerMetrics {
  private final Metrics metrics;
  private final Metrics.Counter opened;

  ServerMetrics(Metrics metrics, Clients clients, SharedBound outboxes) {
    this.metrics = metrics;
    this.opened = metrics.counter("connections_opened", "WebSockets opened");
    for (CloseCause cause : CloseCause.values()) {
      counter(cause); // so that each is exported before it occurs
    }
    metrics.gauge(
        "outbox_bytes",
        "Bytes queued for clients; an event counts once for all of them",
        outboxes::used);
    metrics.gauge("connections", "Clients connected", clients.webSockets()::size);
    metrics.gauge("requesting", "Connections that are not WebSockets yet", clients::requesting);
    metrics.gauge(
        "buffer_bytes",
        "Direct memory in use for network buffers",
        PlatformDependent::usedDirectMemory);
  }

  void opened() {
    opened.increment();
  }

  void closed(CloseCause cause) {
    counter(cause).increment();
  }

  private Metrics.Counter counter(CloseCause cause) {
    return metrics.counter("connections_closed", "WebSockets closed", "reason", cause.label());
  }

  void answered(HttpResponseStatus status) {
    metrics
        .counter("http_answers", "Answers over HTTP", "status", Integer.toString(status.code()))
        .increment();
  }
}
