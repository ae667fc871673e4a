package gambit.app.command.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.command.cluster.GameBook.State;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Players who share a connection to a random node, and play random moves of the draft's dialect;
 * when the connection has ended, they return at another node. An unanswered move is sent again.
 * Guarded by itself.
 */
final class PlayerGroup implements AutoCloseable {
  private static final long TICK_MILLIS = 1_000;
  private static final long SEARCH_AGAIN_MILLIS = 8_000;
  private static final long SEND_AGAIN_MILLIS = 6_000;
  private static final long RESIGN_AGAIN_MILLIS = 3_000;
  private static final List<String> CONTROLS = List.of("86400", "900+5");

  private final ClusterGames games;
  private final Random random;
  private final ScheduledExecutorService timer;
  private final Map<String, Player> players = new HashMap<>();
  private final Map<String, Integer> plies = new HashMap<>(); // of games, on this connection
  private @Nullable NodeClient client;
  private String node = "";
  private boolean isClosed;

  /** A player. */
  private static final class Player {
    private final Signer key;
    private final String control;
    private @Nullable State state; // of the game
    private @Nullable Event move; // answers that state
    private long shownAt;
    private long connectedAt;
    private long sentAt;

    private Player(Signer key, String control) {
      this.key = key;
      this.control = control;
    }
  }

  /** Players with these numbers. */
  PlayerGroup(ClusterGames games, int first, int count, ScheduledExecutorService timer, long seed) {
    this.games = games;
    this.random = new Random(seed);
    this.timer = timer;
    for (int i = first; i < first + count; i++) {
      Signer key = Keys.of("cluster player " + i);
      players.put(key.pubkey().hex(), new Player(key, CONTROLS.get(i % CONTROLS.size())));
    }
    timer.scheduleWithFixedDelay(
        this::tick, random.nextInt(1_000), TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static long now() {
    return System.nanoTime() / 1_000_000;
  }

  private void tick() {
    try {
      synchronized (this) {
        if (client != null && client.hasEnded()) {
          client = null;
        }
        if (!isClosed && client == null) {
          connect();
        }
        if (client != null) {
          players.values().forEach(this::remind);
        }
      }
    } catch (RuntimeException | Error e) {
      e.printStackTrace(System.out);
      games.violations().add("a player failed: " + e);
    }
  }

  private void connect() {
    RelayNode chosen = games.anyNode(random);
    NodeClient[] opened = new NodeClient[1];
    try {
      plies.clear();
      opened[0] = new NodeClient(chosen.url(), message -> take(opened[0], message));
    } catch (CompletionException e) {
      return; // the next tick tries another one
    }
    client = opened[0];
    node = chosen.name();
    String all = String.join("\",\"", players.keySet());
    client.send("[\"REQ\",\"states\",{\"kinds\":[20302],\"#p\":[\"" + all + "\"]}]");
    for (Player player : players.values()) {
      player.connectedAt = 0;
      player.sentAt = 0;
    }
  }

  private synchronized void take(NodeClient from, JsonNode message) {
    if (from != client || !message.get(0).asText().equals("EVENT")) {
      return;
    }
    JsonNode event = message.get(2);
    if (event.get("kind").asInt() != 20302) {
      return;
    }
    State state = State.read(event);
    games.book().shown(node, state);
    Integer before = plies.put(state.game(), state.ply());
    if (before != null && (state.ply() < before || state.ply() > before + 1)) {
      games.violations().add("at " + node + " after ply " + before + " came " + state);
    }
    for (int i = 0; i < 2; i++) {
      Player player = players.get(state.players().get(i));
      if (player != null) {
        take(player, i, state);
      }
    }
  }

  private void take(Player player, int side, State state) {
    if (!state.end().isEmpty()) {
      if (player.state != null && player.state.game().equals(state.game())) {
        player.state = null;
      }
      return;
    }
    if (state.equals(player.state)) {
      return;
    }
    player.state = state;
    player.shownAt = now();
    player.move = null;
    if (state.ply() % 2 == side) {
      timer.schedule(() -> move(player, state), games.thinkingTime(random), TimeUnit.MILLISECONDS);
    }
  }

  private synchronized void move(Player player, State state) {
    if (client == null || player.state != state || player.move != null) {
      return;
    }
    player.move = games.isEnding() ? resignation(player, state) : randomMove(player, state);
    if (player.move != null) {
      publish(player, state);
    }
  }

  private @Nullable Event randomMove(Player player, State state) {
    Position position = Position.parseFen(state.fen()).orElseThrow();
    List<Move> moves = position.legalMoves();
    if (moves.isEmpty()) {
      return null;
    }
    String uci = moves.get(random.nextInt(moves.size())).uci();
    return sign(player, 5001, uci, about(state), List.of(List.of("ply", "" + (state.ply() + 1))));
  }

  private Event resignation(Player player, State state) {
    return sign(player, 5003, "resign", about(state), List.of());
  }

  private static List<List<String>> about(State state) {
    return List.of(List.of("e", state.game(), "", "root"));
  }

  private Event sign(
      Player player, int kind, String content, List<List<String>> tags, List<List<String>> more) {
    List<List<String>> all = new ArrayList<>(tags);
    all.addAll(more);
    all.add(List.of("nonce", Long.toHexString(random.nextLong())));
    return player.key.sign(System.currentTimeMillis() / 1000, kind, new Tags(all), content);
  }

  private void publish(Player player, State state) {
    Event event = player.move;
    player.sentAt = now();
    client
        .publish(event)
        .thenAccept(
            answer -> {
              if (answer.isAccepted() && event.kind() == 5001) {
                games.book().accepted(state.game(), state.ply() + 1, event.id().hex());
              }
              if (answer.text().startsWith("auth-required:")) {
                forgetConnect(player);
              }
              count(answer);
            });
  }

  /** The next tick connects the player again. */
  private synchronized void forgetConnect(Player player) {
    player.connectedAt = 0;
  }

  private void count(NodeClient.Answer answer) {
    if (!answer.isAccepted()) {
      games.refused(answer.text());
    }
  }

  /** Repeats what was not answered, and what may be forgotten. */
  private void remind(Player player) {
    State state = player.state;
    long now = now();
    boolean mayPlay = state != null || !games.isEnding();
    if (mayPlay && (player.connectedAt == 0 || isSearchOld(player, now))) {
      player.connectedAt = now;
      client.publish(
          sign(
              player,
              5000,
              "connect",
              List.of(List.of("time", player.control), List.of("rated", "true")),
              List.of()));
      return;
    }
    if (state == null) {
      return;
    }
    boolean isOurs = players.get(state.players().get(state.ply() % 2)) == player;
    if (isOurs && games.isEnding() && now - player.sentAt > RESIGN_AGAIN_MILLIS) {
      player.move = resignation(player, state);
      publish(player, state);
    } else if (isOurs && player.move != null && now - player.sentAt > SEND_AGAIN_MILLIS) {
      publish(player, state);
    } else if (isOurs && player.move == null && now - player.shownAt > games.longestThinking()) {
      move(player, state);
    }
  }

  private static boolean isSearchOld(Player player, long now) {
    return player.state == null && now - player.connectedAt > SEARCH_AGAIN_MILLIS;
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    if (client != null) {
      client.close();
      client = null;
    }
  }
}
