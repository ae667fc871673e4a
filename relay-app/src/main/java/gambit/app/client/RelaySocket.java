package gambit.app.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket connection to a relay, used by one thread. It reads one message for each call of
 * {@link #next}, and no message of more than 4 million characters, so that a relay cannot exhaust
 * the memory.
 */
public final class RelaySocket implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_MESSAGE_CHARS = 4_000_000;

  private final MessageListener listener = new MessageListener();
  private final Duration timeout;
  private final WebSocket socket;

  /**
   * Connects.
   *
   * @param timeout of connecting, and of each sending
   */
  public RelaySocket(URI url, Duration timeout) throws RelayFailure {
    this.timeout = timeout;
    String failure = "Cannot connect to " + url + ": is the relay running there?";
    try {
      socket =
          await(
              HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(url, listener), failure);
    } catch (IllegalArgumentException e) {
      throw new RelayFailure(failure);
    }
  }

  /** Sends a text message. */
  public void send(String message) throws RelayFailure {
    await(socket.sendText(message, true), "The relay closed the connection.");
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
      listener.requestMessage(socket);
      Received received = listener.received.poll(within.toMillis(), TimeUnit.MILLISECONDS);
      if (received == null) {
        return Optional.empty();
      }
      listener.isRequested = false;
      if (!received.isMessage()) {
        throw new RelayFailure(received.text());
      }
      return Optional.of(JSON.readTree(received.text()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RelayFailure("Interrupted.");
    } catch (JsonProcessingException e) {
      throw new RelayFailure("The relay sent something that is not JSON.");
    }
  }

  @Override
  public void close() {
    socket.abort();
  }

  /** A message, or the reason why no more will arrive. */
  private record Received(boolean isMessage, String text) {}

  /** Receives one message for each request, on the HTTP client's threads. */
  private static final class MessageListener implements WebSocket.Listener {
    private static final Received CLOSED = new Received(false, "The relay closed the connection.");

    private final LinkedBlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private final StringBuilder partial = new StringBuilder();

    /** Touched only by the thread that uses the socket. */
    private boolean isRequested;

    private void requestMessage(WebSocket socket) {
      if (!isRequested) {
        isRequested = true;
        socket.request(1);
      }
    }

    @Override
    public void onOpen(WebSocket socket) {
      // The default would request a message; this listener waits for requestMessage.
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      if (partial.length() + data.length() > MAX_MESSAGE_CHARS) {
        received.add(new Received(false, "The relay sent a message that is too long."));
        socket.abort();
        return null;
      }
      partial.append(data);
      if (last) {
        received.add(new Received(true, partial.toString()));
        partial.setLength(0);
      } else {
        socket.request(1);
      }
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
      received.add(CLOSED);
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
      received.add(CLOSED);
    }
  }
}
