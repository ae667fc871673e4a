package gambit.app.tool.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A WebSocket connection to a relay, used by one thread. It reads further messages, about a
 * megabyte, only when all earlier ones are taken, so that a relay cannot exhaust the memory.
 */
public final class RelaySocket implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final LinkedBlockingQueue<Received> received = new LinkedBlockingQueue<>();
  private final Duration timeout;
  private final WebSocketConnection connection;
  private final Deque<String> messages = new ArrayDeque<>(); // received together
  private boolean isRequested;

  /**
   * Connects.
   *
   * @param timeout of connecting, and of each sending
   */
  public RelaySocket(URI url, Duration timeout) throws RelayFailure {
    this(RelayPlace.of(url), timeout);
  }

  /**
   * Connects to a relay with its certificates and headers.
   *
   * @param timeout of connecting, and of each sending
   */
  public RelaySocket(RelayPlace relay, Duration timeout) throws RelayFailure {
    this.timeout = timeout;
    String failure = "Cannot connect to " + relay.url() + ": is the relay running there?";
    try {
      connection = await(WebSocketConnection.open(relay, timeout, new MessageListener()), failure);
    } catch (IllegalArgumentException e) {
      throw new RelayFailure(failure);
    }
  }

  /** Sends a text message. */
  public void send(String message) throws RelayFailure {
    await(connection.send(message), WebSocketConnection.CLOSED);
  }

  private <T> T await(CompletableFuture<T> future, String failure) throws RelayFailure {
    try {
      return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new RelayFailure(failure);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RelayFailure("Interrupted.");
    }
  }

  /** The next message, or empty if none has arrived completely within that time. */
  public Optional<JsonNode> next(Duration within) throws RelayFailure {
    Optional<String> text = nextText(within);
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(JSON.readTree(text.get()));
    } catch (JsonProcessingException e) {
      throw new RelayFailure("The relay sent something that is not JSON.");
    }
  }

  /** The text of the next message, or empty if none has arrived completely within that time. */
  public Optional<String> nextText(Duration within) throws RelayFailure {
    if (messages.isEmpty()) {
      receive(within);
    }
    return Optional.ofNullable(messages.poll());
  }

  private void receive(Duration within) throws RelayFailure {
    try {
      if (!isRequested) {
        isRequested = true;
        connection.requestAll();
      }
      Received next = received.poll(within.toMillis(), TimeUnit.MILLISECONDS);
      if (next != null) {
        isRequested = false;
        if (!next.end().isEmpty()) {
          throw new RelayFailure(next.end());
        }
        messages.addAll(next.messages());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RelayFailure("Interrupted.");
    }
  }

  @Override
  public void close() {
    connection.close();
  }

  /** Messages, or the reason why no more will arrive. */
  private record Received(List<String> messages, String end) {}

  /** Collects what arrives, on the event loop. */
  private final class MessageListener implements WebSocketConnection.Listener {
    @Override
    public void received(List<String> together) {
      received.add(new Received(together, ""));
    }

    @Override
    public void received(String message) {
      received(List.of(message));
    }

    @Override
    public void ended(String reason) {
      received.add(new Received(List.of(), reason));
    }
  }
}
