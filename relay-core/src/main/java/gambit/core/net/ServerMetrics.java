package gambit.core.net;

import gambit.core.limit.MemoryBound;
import gambit.core.metrics.Metrics;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.internal.PlatformDependent;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * The metrics of the port: connections, causes of closing, outboxes, HTTP answers, and what
 * WebSockets receive and send. Thread-safe.
 */
final class ServerMetrics {
  private final Metrics metrics;
  private final Metrics.Counter opened;
  private final Map<CloseCause, Metrics.Counter> closed = new EnumMap<>(CloseCause.class);
  private final Metrics.Counter receivedBytes;
  private final Metrics.Counter sentBytes;
  private final Metrics.Counter sentEvents;
  private final Metrics.Counter sentAnswers;
  private final Metrics.Timer eventLoopWait;

  ServerMetrics(Metrics metrics, Clients clients, MemoryBound outboxes) {
    this.metrics = metrics;
    this.opened = metrics.counter("connections_opened", "WebSockets opened");
    this.receivedBytes =
        metrics.counter(
            "received_bytes",
            "Bytes of WebSocket frames received from clients, compressed ones as they are");
    this.sentBytes =
        metrics.counter(
            "sent_bytes", "Bytes of WebSocket frames sent to clients, compressed ones as they are");
    this.sentEvents = sentMessages("event");
    this.sentAnswers = sentMessages("answer");
    this.eventLoopWait =
        metrics.timer(
            "event_loop_wait_seconds",
            "Time from waking an event loop until it writes the frames of its clients");
    for (CloseCause cause : CloseCause.values()) { // so that each is exported before it occurs
      closed.put(
          cause,
          metrics.counter(
              "connections_closed", "WebSockets closed, by the reason", "reason", cause.label()));
    }
    metrics.gauge(
        "outbox_bytes",
        "Bytes queued for clients; an event counts once for all of them",
        outboxes::used);
    metrics.gauge("connections", "WebSockets open", clients.webSockets()::size);
    metrics.gauge(
        "requesting",
        "Connections to the relay's port that are not WebSockets, or not yet",
        clients::requesting);
    metrics.gauge(
        "buffer_bytes",
        "Direct memory in use for network buffers",
        PlatformDependent::usedDirectMemory);
  }

  private Metrics.Counter sentMessages(String type) {
    return metrics.counter(
        "sent_messages",
        "Messages sent to clients: EVENT messages, and answers (OK, EOSE, NOTICE and others)",
        "type",
        type);
  }

  /** An event loop that was woken at a value of {@link System#nanoTime} begins to write. */
  void eventLoopWaited(long sinceNanos) {
    eventLoopWait.recordSince(sinceNanos);
  }

  void received(int bytes) {
    receivedBytes.add(bytes);
  }

  /** Some frames were written to a channel. */
  void sent(int bytes, int events, int answers) {
    sentBytes.add(bytes);
    if (events > 0) {
      sentEvents.add(events);
    }
    if (answers > 0) {
      sentAnswers.add(answers);
    }
  }

  void opened() {
    opened.increment();
  }

  void closed(CloseCause cause) {
    Objects.requireNonNull(closed.get(cause)).increment();
  }

  void answered(HttpResponseStatus status) {
    metrics
        .counter(
            "http_answers",
            "Answers over HTTP at the relay's port, without upgrades to WebSockets",
            "status",
            Integer.toString(status.code()))
        .increment();
  }
}
