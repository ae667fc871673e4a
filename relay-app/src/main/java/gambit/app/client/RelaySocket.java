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
 * A connection to a relay, frame by frame. One thread uses it. The socket is read only as far as
 * frames are asked for, so that a relay cannot fill the memory; no frame is longer than 4 million
 * characters.
 */
public final class RelaySocket implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int LONGEST = 4_000_000;

  private final Inbox inbox = new Inbox();
  private final Duration patience;
  private final WebSocket socket;

  /**
   * Connects.
   *
   * @param patience how long connecting, and each sending, may take
   */
  public RelaySocket(URI url, Duration patience) throws RelayFailed {
    this.patience = patience;
    String failure = "Cannot connect to " + url + ": is the relay running there?";
    try {
      socket =
          done(HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(url, inbox), failure);
    } catch (IllegalArgumentException e) {
      throw new RelayFailed(failure);
    }
  }

  /** Sends a text frame. */
  public void send(String frame) throws RelayFailed {
    done(socket.sendText(frame, true), "The relay closed the connection.");
  }

  private <T> T done(CompletableFuture<T> doing, String failure) throws RelayFailed {
    try {
      return doing.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new RelayFailed(failure);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RelayFailed("Interrupted.");
    }
  }

  /** The next frame, or nothing when none has come whole within that time. */
  public Optional<JsonNode> next(Duration within) throws RelayFailed {
    try {
      inbox.ask(socket);
      Received received = inbox.received.poll(within.toMillis(), TimeUnit.MILLISECONDS);
      if (received == null) {
        return Optional.empty();
      }
      inbox.asked = false;
      if (!received.frame()) {
        throw new RelayFailed(received.text());
      }
      return Optional.of(JSON.readTree(received.text()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RelayFailed("Interrupted.");
    } catch (JsonProcessingException e) {
      throw new RelayFailed("The relay sent something that is not JSON.");
    }
  }

  @Override
  public void close() {
    socket.abort();
  }

  /** A frame, or in words why there will be none any more. */
  private record Received(boolean frame, String text) {}

  /** Takes one frame each time it is asked to. On the HTTP client's threads but for asking. */
  private static final class Inbox implements WebSocket.Listener {
    private static final Received CLOSED = new Received(false, "The relay closed the connection.");

    private final LinkedBlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private final StringBuilder partial = new StringBuilder();

    /** The user's thread only. */
    private boolean asked;

    private void ask(WebSocket socket) {
      if (!asked) {
        asked = true;
        socket.request(1);
      }
    }

    @Override
    public void onOpen(WebSocket socket) {
      // Nothing is read before it is asked for.
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      if (partial.length() + data.length() > LONGEST) {
        received.add(new Received(false, "The relay sent a frame that is too long."));
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
