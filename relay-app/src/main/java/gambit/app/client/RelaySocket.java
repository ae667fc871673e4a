package gambit.app.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A WebSocket connection to a relay, used by one thread. It reads one message for each call of
 * {@link #next}, of a bounded length, so that a relay cannot exhaust the memory.
 */
public final class RelaySocket implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final LinkedBlockingQueue<Received> received = new LinkedBlockingQueue<>();
  private final Duration timeout;
  private final WebSocketConnection connection;
  private boolean isRequested;

  /**
   * Connects.
   *
   * @param timeout of connecting, and of each sending
   */
  public RelaySocket(URI url, Duration timeout) throws RelayFailure {
    this.timeout = timeout;
    String failure = "Cannot connect to " + url + ": is the relay running there?";
    try {
      connection = await(WebSocketConnection.open(url, timeout, new MessageListener()), failure);
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
    try {
      if (!isRequested) {
        isRequested = true;
        connection.request();
      }
      Received next = received.poll(within.toMillis(), TimeUnit.MILLISECONDS);
      if (next == null) {
        return Optional.empty();
      }
      isRequested = false;
      if (!next.isMessage()) {
        throw new RelayFailure(next.text());
      }
      return Optional.of(JSON.readTree(next.text()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RelayFailure("Interrupted.");
    } catch (JsonProcessingException e) {
      throw new RelayFailure("The relay sent something that is not JSON.");
    }
  }

  @Override
  public void close() {
    connection.close();
  }

  /** A message, or the reason why no more will arrive. */
  private record Received(boolean isMessage, String text) {}

  /** Collects what arrives, on the event loop. */
  private final class MessageListener implements WebSocketConnection.Listener {
    @Override
    public void received(String message) {
      received.add(new Received(true, message));
    }

    @Override
    public void ended(String reason) {
      received.add(new Received(false, reason));
    }
  }
}
