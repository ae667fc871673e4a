package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.games.GameState;
import gambit.core.model.Event;
import gambit.core.testkit.Client;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** A client that follows the states of games (kind 20302) at one node. One thread. */
class StateReader implements AutoCloseable {
  private final String filter;
  private final List<GameState> states = new ArrayList<>();
  private final Set<String> answered = new HashSet<>();
  private Client client;

  /** Subscribes to events of the relay's key. */
  StateReader(URI node, String filter) {
    this.filter = filter;
    connect(node);
  }

  /** Connects to a node; the states that were read before are forgotten. */
  final void connect(URI node) {
    if (client != null) {
      client.abort();
    }
    client = new Client(node);
    states.clear();
    client.send("[\"REQ\",\"states\"," + filter + "]");
    client.until("EOSE").forEach(this::take);
  }

  final Client client() {
    return client;
  }

  private void take(JsonNode frame) {
    if (frame.get(0).asText().equals("OK")) {
      boolean isAgain = frame.get(3).asText().contains("already "); // it was sent again
      assertThat(frame.get(2).asBoolean() || isAgain).as("" + frame).isTrue();
      answered.add(frame.get(1).asText());
    } else if (frame.get(0).asText().equals("EVENT") && frame.get(1).isTextual()) {
      JsonNode event = frame.get(2);
      assertThat(event.get("kind").asInt()).as("" + event).isEqualTo(20302);
      states.add(GameState.read(event));
    }
  }

  /** Reads until something is so; fails when nothing comes for long. */
  final void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      String frame = client.next();
      if (frame.startsWith("closed with 1012")) {
        restarted();
      } else {
        take(Client.parse(frame));
      }
    }
  }

  /** Another node leads, and the relay has disconnected the client. */
  void restarted() {
    throw new AssertionError("a reader that has sent nothing is not disconnected");
  }

  /** The states on this connection so far, each as often as it came. */
  final List<GameState> states() {
    return List.copyOf(states);
  }

  /** The state that was read last. */
  final GameState state() {
    return states.get(states.size() - 1);
  }

  /** Waits for a state with that number of plies, result and proposal. */
  final GameState await(int ply, String proposal, String end) {
    await(
        () ->
            !states.isEmpty()
                && state().ply() == ply
                && state().proposal().equals(proposal)
                && state().end().equals(end));
    return state();
  }

  /** Waits for the answer to an event, which must be accepted. */
  final void awaitAnswer(Event event) {
    await(() -> answered.contains(event.id().hex()));
  }

  @Override
  public void close() {
    client.abort();
  }
}
