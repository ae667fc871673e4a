package gambit.app.command.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.model.Event;
import gambit.core.testkit.Client;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One connection to a node. What arrives is passed on in order, on one thread at a time; sending
 * never waits for the relay. Thread-safe.
 */
final class NodeClient implements WebSocket.Listener, AutoCloseable {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private static final long CONNECT_SECONDS = 5;

  /** The answer to an event. */
  record Answer(boolean isAccepted, String text) {}

  private final Consumer<JsonNode> receiver;
  private final StringBuilder partial = new StringBuilder();
  private final Map<String, CompletableFuture<Answer>> answers = new ConcurrentHashMap<>();
  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private final WebSocket socket;
  private CompletableFuture<WebSocket> sending; // guarded by this

  /**
   * Connects.
   *
   * @param receiver receives all messages except challenges and the answers that somebody waits for
   * @throws CompletionException when the node cannot be reached
   */
  NodeClient(URI url, Consumer<JsonNode> receiver) {
    this.receiver = receiver;
    socket =
        HTTP.newWebSocketBuilder()
            .connectTimeout(Duration.ofSeconds(2))
            .buildAsync(url, this)
            .orTimeout(CONNECT_SECONDS, TimeUnit.SECONDS)
            .join();
    sending = CompletableFuture.completedFuture(socket);
  }

  @Override
  public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
    partial.append(data);
    if (last) {
      JsonNode message = Client.parse(partial.toString());
      partial.setLength(0);
      take(message);
    }
    webSocket.request(1);
    return null;
  }

  private void take(JsonNode message) {
    if (message.path(0).asText().equals("OK")) {
      CompletableFuture<Answer> waiting = answers.remove(message.get(1).asText());
      if (waiting != null) {
        waiting.complete(new Answer(message.get(2).asBoolean(), message.get(3).asText()));
        return;
      }
    }
    if (!message.path(0).asText().equals("AUTH")) {
      receiver.accept(message);
    }
  }

  @Override
  public CompletionStage<?> onClose(WebSocket webSocket, int statusCode, String reason) {
    end();
    return null;
  }

  @Override
  public void onError(WebSocket webSocket, Throwable error) {
    if (error instanceof AssertionError || error instanceof RuntimeException) {
      error.printStackTrace(System.out); // of the receiver
    }
    end();
  }

  private void end() {
    end.complete(null);
    answers.values().forEach(it -> it.completeExceptionally(new CompletionException("end", null)));
  }

  /** Whether the connection has ended. */
  boolean hasEnded() {
    return end.isDone();
  }

  /** Calls back when the connection has ended. */
  void whenEnded(Runnable task) {
    end.thenRun(task);
  }

  /** Sends a message. */
  synchronized void send(String text) {
    sending =
        sending
            .thenCompose(sent -> socket.sendText(text, true))
            .whenComplete(
                (sent, failure) -> {
                  if (failure != null) {
                    end();
                  }
                });
  }

  /** Publishes an event; the answer fails when the connection ends before it. */
  CompletableFuture<Answer> publish(Event event) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    answers.put(event.id().hex(), answer);
    send("[\"EVENT\"," + event + "]");
    if (end.isDone()) {
      end();
    }
    return answer;
  }

  /** Closes the connection without a close frame. */
  @Override
  public void close() {
    socket.abort();
    end();
  }
}
