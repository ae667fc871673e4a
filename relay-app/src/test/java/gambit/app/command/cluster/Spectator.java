package gambit.app.command.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.command.cluster.GameBook.State;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Follows all games at one node. On each connection, the positions of a game must follow each
 * other. Guarded by itself.
 */
final class Spectator {
  private final ClusterGames games;
  private final RelayNode node;
  private final Map<String, Integer> plies = new HashMap<>(); // on this connection
  private final Set<String> running = new HashSet<>();
  private @Nullable NodeClient client;
  private boolean isConfirmed;

  Spectator(ClusterGames games, RelayNode node) {
    this.games = games;
    this.node = node;
  }

  /** Connects, unless it is connected. */
  synchronized void connect() {
    if (client != null && !client.hasEnded()) {
      return;
    }
    plies.clear();
    running.clear();
    isConfirmed = false;
    try {
      client = new NodeClient(node.url(), this::take);
      client.send("[\"REQ\",\"all\",{\"kinds\":[20302]}]");
    } catch (CompletionException e) {
      client = null;
    }
  }

  private synchronized void take(JsonNode message) {
    if (message.get(0).asText().equals("EOSE")) {
      isConfirmed = true;
    } else if (message.get(0).asText().equals("EVENT")) {
      State state = State.read(message.get(2));
      games.book().shown(node.name(), state);
      Integer before = plies.put(state.game(), state.ply());
      if (before != null && (state.ply() < before || state.ply() > before + 1)) {
        games.violations().add("at " + node.name() + " after ply " + before + " came " + state);
      }
      if (state.end().isEmpty()) {
        running.add(state.game());
      } else {
        running.remove(state.game());
      }
    }
  }

  /** The number of games that run as far as it was shown; -1 if it is not connected. */
  synchronized int running() {
    return isConfirmed && client != null && !client.hasEnded() ? running.size() : -1;
  }

  synchronized void close() {
    if (client != null) {
      client.close();
      client = null;
    }
  }
}
