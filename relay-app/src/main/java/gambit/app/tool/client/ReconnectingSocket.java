package gambit.app.tool.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import gambit.core.log.LimitedLog;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket connection to a relay that is made again, with growing delays, whenever it is lost.
 * Owned by one thread, which is given as an executor and on which the handler is called. It reads
 * the next message when the handler has returned; {@link WebSocketConnection} bounds its length.
 *
 * <p>The relay's information document is fetched before each connection. A connection over which
 * nothing arrives for {@link #SILENCE}, not even the answer to a ping, is given up.
 */
final class ReconnectingSocket {
  private static final LimitedLog LOG = LimitedLog.of(ReconnectingSocket.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration PING_INTERVAL = Duration.ofSeconds(15);
  private static final Duration SILENCE = Duration.ofSeconds(40);

  /** Receives what happens on the connection, on the owner's thread. */
  interface Handler {
    void opened(RelayInfo relay);

    void received(JsonNode message);

    /** The connection is lost or was not made; the next attempt follows after the delay. */
    void closed(String reason, Duration delay);
  }

  private final RelayPlace relay;
  private final ScheduledExecutorService thread;
  private final Handler handler;
  private final Backoff backoff = new Backoff(Duration.ofMillis(250), Duration.ofSeconds(10));

  private @Nullable WebSocketConnection connection;

  /** The number of the current attempt; callbacks of earlier ones are ignored. */
  private int attempt;

  private boolean works;
  private long worksSince;
  private boolean isClosed;

  ReconnectingSocket(RelayPlace relay, ScheduledExecutorService thread, Handler handler) {
    this.relay = relay;
    this.thread = thread;
    this.handler = handler;
  }

  /** Makes the first connection. */
  void open() {
    long period = PING_INTERVAL.toMillis();
    thread.scheduleAtFixedRate(this::ping, period, period, TimeUnit.MILLISECONDS);
    connect();
  }

  private void connect() {
    if (isClosed) {
      return;
    }
    int number = ++attempt;
    Listener listener = new Listener(number);
    InformationDocument.fetch(relay, TIMEOUT)
        .thenCompose(ReconnectingSocket::read)
        .thenCompose(
            information ->
                WebSocketConnection.open(relay, TIMEOUT, listener)
                    .thenAccept(made -> handOver(number, made, information)))
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                onThread(number, () -> lost(messageOf(failure)));
              }
            });
  }

  private static CompletableFuture<RelayInfo> read(JsonNode document) {
    try {
      return CompletableFuture.completedFuture(RelayInfo.of(document));
    } catch (RelayFailure e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private String messageOf(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof RelayFailure
        ? String.valueOf(cause.getMessage())
        : "Cannot connect to " + relay.url() + ": is the relay running there?";
  }

  /** Hands a connection to the owner's thread, or ends it if the client was closed meanwhile. */
  private void handOver(int number, WebSocketConnection made, RelayInfo relay) {
    try {
      thread.execute(
          () -> {
            if (number == attempt && !isClosed) {
              opened(made, relay);
            } else {
              made.close();
            }
          });
    } catch (RejectedExecutionException e) {
      made.close();
    }
  }

  /** Runs a task of an attempt on the owner's thread, unless another attempt has begun. */
  private void onThread(int number, Runnable task) {
    try {
      thread.execute(
          () -> {
            if (number == attempt && !isClosed) {
              task.run();
            }
          });
    } catch (RejectedExecutionException e) {
      // The client was closed.
    }
  }

  private void opened(WebSocketConnection made, RelayInfo relay) {
    connection = made;
    if (isHandled(() -> handler.opened(relay))) {
      made.request();
    }
  }

  /**
   * Calls the handler. If it fails, its state may be wrong: the connection is made again, which
   * sets it from the beginning.
   */
  private boolean isHandled(Runnable call) {
    try {
      call.run();
      return true;
    } catch (RuntimeException e) {
      LOG.error("A message of the relay could not be handled", e);
      lost("This client could not handle a message of the relay.");
      return false;
    }
  }

  /** The connection works: the longer it does, the sooner the next one is made. */
  void works() {
    worksSince = System.nanoTime();
    works = true;
  }

  /** Sends a message, or nothing while there is no connection. */
  void send(String message) {
    WebSocketConnection current = connection;
    if (current != null) {
      requireSent(current.send(message));
    }
  }

  private void ping() {
    WebSocketConnection current = connection;
    if (current == null || isClosed) {
      return;
    }
    if (current.silence().compareTo(SILENCE) > 0) {
      lost("The relay does not answer.");
    } else {
      requireSent(current.ping());
    }
  }

  /** Treats a failed sending as a loss of the connection. */
  private void requireSent(CompletableFuture<Void> sending) {
    int number = attempt;
    sending.whenComplete(
        (done, failure) -> {
          if (failure != null) {
            onThread(number, () -> lost(WebSocketConnection.CLOSED));
          }
        });
  }

  /** Ends the current connection, and schedules the next one. */
  void lost(String reason) {
    WebSocketConnection current = connection;
    if (current != null) {
      current.close();
    }
    connection = null;
    attempt++;
    Duration success = Duration.ofNanos(works ? System.nanoTime() - worksSince : 0);
    works = false;
    Duration delay = backoff.next(success);
    handler.closed(reason, delay);
    thread.schedule(this::connect, delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Ends the connection for good. */
  void close() {
    isClosed = true;
    WebSocketConnection current = connection;
    if (current != null) {
      current.close();
    }
    connection = null;
  }

  private void received(String text) {
    JsonNode message;
    try {
      message = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      lost("The relay sent something that is not JSON.");
      return;
    }
    if (isHandled(() -> handler.received(message))) {
      WebSocketConnection current = connection;
      if (current != null) {
        current.request();
      }
    }
  }

  /** Passes on what one attempt receives, from the event loop to the owner's thread. */
  private final class Listener implements WebSocketConnection.Listener {
    private final int number;

    private Listener(int number) {
      this.number = number;
    }

    @Override
    public void received(String message) {
      onThread(number, () -> ReconnectingSocket.this.received(message));
    }

    @Override
    public void ended(String reason) {
      onThread(number, () -> lost(reason));
    }
  }
}
