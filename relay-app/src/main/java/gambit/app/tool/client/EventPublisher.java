package gambit.app.tool.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import gambit.core.model.Event;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Publishes many events over one connection, without waiting for the answer to each. The caller
 * bounds the events that are not answered yet. Thread-safe.
 */
public final class EventPublisher implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Answers answers;
  private final WebSocketConnection connection;

  /** Receives the relay's answers, on the connection's thread; must not block. */
  public interface Answers {
    /**
     * An event is answered.
     *
     * @param text begins with the machine-readable prefix of the reason, if there is one
     */
    void answered(String id, boolean isAccepted, String text);

    /** The connection has ended, and no more answers will come. */
    void ended(String reason);
  }

  /** Connects. */
  public EventPublisher(RelayPlace relay, Duration timeout, Answers answers) throws RelayFailure {
    this.answers = answers;
    try {
      connection =
          WebSocketConnection.open(relay, timeout, new AnswerListener())
              .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new RelayFailure("Cannot connect to " + relay.url() + ": is the relay running there?");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RelayFailure("Interrupted.");
    }
    connection.requestAll();
  }

  /** Publishes an event after the earlier ones; the result fails when the connection has ended. */
  public CompletableFuture<Void> publish(Event event) {
    return connection.send("[\"EVENT\"," + new String(event.json(), StandardCharsets.UTF_8) + "]");
  }

  @Override
  public void close() {
    connection.close();
  }

  private final class AnswerListener implements WebSocketConnection.Listener {
    @Override
    public void received(List<String> together) {
      try {
        together.forEach(this::received);
      } finally {
        connection.requestAll();
      }
    }

    @Override
    public void received(String message) {
      try {
        JsonNode frame = JSON.readTree(message);
        if (frame.path(0).asText().equals("OK")) {
          answers.answered(
              frame.path(1).asText(), frame.path(2).asBoolean(), frame.path(3).asText());
        }
      } catch (JsonProcessingException e) {
        connection.close(); // not a relay
      }
    }

    @Override
    public void ended(String reason) {
      answers.ended(reason);
    }
  }
}
