package gambit.core.net;

import gambit.core.meter.Meters;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.internal.PlatformDependent;

/** What happens at the port, counted. Thread-safe. */
final class ServerMeters {
  private final Meters meters;
  private final Meters.Counter opened;

  ServerMeters(Meters meters, Clients clients) {
    this.meters = meters;
    this.opened = meters.counter("connections_opened", "WebSockets opened");
    for (Ending why : Ending.values()) {
      counter(why); // so that each is seen before it happens
    }
    meters.gauge("connections", "Clients connected", clients.webSockets()::size);
    meters.gauge("requesting", "Connections that are no WebSocket (yet)", clients::requesting);
    meters.gauge(
        "buffer_bytes",
        "Memory outside of the heap in which messages come and go",
        PlatformDependent::usedDirectMemory);
  }

  void opened() {
    opened.increment();
  }

  void closed(Ending why) {
    counter(why).increment();
  }

  private Meters.Counter counter(Ending why) {
    return meters.counter("connections_closed", "WebSockets ended", "reason", why.label());
  }

  void answered(HttpResponseStatus status) {
    meters
        .counter("http_answers", "Answers over HTTP", "status", Integer.toString(status.code()))
        .increment();
  }
}
