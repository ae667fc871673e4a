package gambit.core.net;

import gambit.core.limit.MemoryBound;
import gambit.core.metrics.Metrics;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.internal.PlatformDependent;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** What the port, its WebSockets and its HTTP report. Thread-safe. */
final class ServerMetrics {
  private final Metrics metrics;
  final Metrics.Counter opened;
  private final Map<CloseCause, Metrics.Counter> closed = new EnumMap<>(CloseCause.class);
  final Metrics.Counter receivedBytes;
  private final Metrics.Counter sentBytes;
  private final Metrics.Counter sentEvents;
  private final Metrics.Counter sentAnswers;
  final Metrics.Timer eventLoopWait;

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
    metrics.gauge("connections", "WebSockets open", () -> clients.webSockets().size());
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

  void sent(int bytes, int events, int answers) {
    sentBytes.add(bytes);
    sentEvents.add(events);
    sentAnswers.add(answers);
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

  /** Why a WebSocket was closed; a label of the metric {@code connections_closed}. */
  enum CloseCause {
    /** The client has sent a close frame. */
    CLIENT,
    /** The client was gone without a close frame. */
    VANISHED,
    SILENT,
    SLOW,
    /**
     * The bound on all outboxes was exceeded, and this client contributed most to it; or that on
     * the incomplete messages of all clients.
     */
    CROWDED,
    PROTOCOL,
    BINARY,
    /** The client has sent text that is not UTF-8, or data that cannot be inflated: 1007. */
    TEXT,
    SIZE,
    /** The operator has blocked the client's address, or an admin has disconnected it: 1008. */
    BLOCKED,
    BUFFERS,
    /** The relay is shutting down: 1001; or another node leads its cluster: 1012. */
    SHUTDOWN,
    ERROR;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    static CloseCause of(WebSocketCloseStatus status) {
      return switch (status.code()) {
        case 1001, 1012 -> SHUTDOWN;
        case 1003 -> BINARY;
        case 1007 -> TEXT;
        case 1008 -> BLOCKED;
        case 1009 -> SIZE;
        case 1013 -> CROWDED;
        default -> PROTOCOL;
      };
    }
  }
}
