package gambit.app.games;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.model.Event;
import gambit.core.testkit.Client;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A connection shared by players that follow the states of their games on it. One thread. */
final class PlayerConnection {
  private static final String CLOSED = "closed";

  private final RandomGames randomGames;
  private String relay = "";
  private final Map<String, RandomPlayer> players = new HashMap<>();
  private final Map<String, RandomPlayer> senders = new HashMap<>(); // by event id
  private final Map<String, RandomPlayer> byOpponent = new HashMap<>();
  private Client client;
  private boolean ready;

  PlayerConnection(RandomGames randomGames) {
    this.randomGames = randomGames;
  }

  void add(RandomPlayer player) {
    players.put(player.pubkey(), player);
  }

  RandomGames randomGames() {
    return randomGames;
  }

  /** The relay's public key, in hex. */
  String relay() {
    return relay;
  }

  /** Connects, and compares the models of the games with the relay's states. */
  void open(URI url, String key) {
    relay = key;
    client = new Client(url);
    senders.clear();
    String all = "[\"" + String.join("\",\"", players.keySet()) + "\"]";
    String states = "{\"kinds\":[20302],\"#p\":" + all + "}";
    String answers = "{\"kinds\":[20301,20304],\"#p\":" + all + "}";
    client.send("[\"REQ\",\"all\"," + states + "," + answers + "]");
    Map<String, GameState> standing = new HashMap<>();
    List<JsonNode> frames = client.until("EOSE");
    for (JsonNode frame : frames.subList(0, frames.size() - 1)) {
      GameState state = GameState.read(frame.get(2));
      assertThat(standing.put(state.game(), state)).as("twice").isNull();
      here(state.players()).forEach(player -> player.resumeRunning(state));
    }
    List<RandomPlayer> missing =
        players.values().stream()
            .filter(player -> player.game() != null && !standing.containsKey(player.game().id()))
            .toList();
    if (!missing.isEmpty()) {
      Set<String> games =
          missing.stream().map(player -> player.game().id()).collect(Collectors.toSet());
      Map<String, List<GameRecord>> records = GameRecord.of(client, games);
      missing.forEach(player -> player.resumeFinished(records.get(player.game().id())));
    }
  }

  /** Plays until the connection is lost, or no player has anything left to do. */
  void play() {
    ready = randomGames.behaviour() != RandomGames.Behaviour.RESIGNING;
    players.values().forEach(RandomPlayer::begin);
    if (!ready) { // otherwise a player that returns after the opponent resigned would search
      playWhile(RandomPlayer::returns);
      randomGames.awaitOthers();
      ready = true;
      players.values().forEach(RandomPlayer::act);
    }
    playWhile(RandomPlayer::isBusy);
    client.abort();
  }

  private void playWhile(Predicate<RandomPlayer> state) {
    while (players.values().stream().anyMatch(state)) {
      String frame = client.next();
      if (frame.startsWith(CLOSED)) {
        return;
      }
      take(Client.parse(frame));
      randomGames.progress();
    }
  }

  /** Whether the players may act. */
  boolean isReady() {
    return ready;
  }

  /** Registers a player's opponent at the beginning of their game. */
  void meets(String opponent, RandomPlayer player) {
    byOpponent.put(opponent, player);
  }

  /** Sends a player's event; its answer goes to that player. */
  void publish(RandomPlayer player, Event event) {
    senders.put(event.id().hex(), player);
    try {
      client.publish(event);
    } catch (CompletionException e) {
      // The relay is gone; the end of the connection is read after the messages received before.
    }
  }

  private void take(JsonNode frame) {
    switch (frame.get(0).asText()) {
      case "OK" -> {
        String id = frame.get(1).asText();
        senders.get(id).answered(id, frame.get(2).asBoolean(), frame.get(3).asText());
      }
      case "EVENT" -> take(frame.get(1), frame.get(2));
      default -> throw new AssertionError("unexpected message: " + frame);
    }
  }

  private void take(JsonNode number, JsonNode event) {
    String content = event.get("content").asText();
    switch (event.get("kind").asInt()) {
      case 20302 -> {
        GameState state = GameState.read(event);
        here(state.players()).forEach(player -> player.shown(state));
      }
      case 20301 -> here(values(event, "p")).forEach(player -> player.told(content));
      case 20304 -> senders.get(values(event, "e").get(0)).refused(content);
      case 5000 -> {
        assertThat(number.isInt()).as("" + event).isTrue();
        found(event, content);
      }
      case 5001 -> {
        assertThat(number.asInt()).as("" + event).isEqualTo(5002);
        receiver(event).framed(content);
      }
      case 5002 -> assertThat(content).isEqualTo("offersent");
      default -> throw new AssertionError("unexpected event: " + event);
    }
  }

  private void found(JsonNode event, String content) {
    List<RandomPlayer> players =
        here(values(event, "p")).filter(player -> !player.isEphemeral()).toList();
    List<String> games = values(event, "e");
    if (content.equals("gameisfound") && games.isEmpty()) {
      players.forEach(player -> player.found(event.get("id").asText()));
    } else if (content.equals("gameisfound")) {
      List<Long> clocks = new ArrayList<>();
      tags(event, "clock")
          .forEach(tag -> clocks.addAll(List.of(tag.get(1).asLong(), tag.get(2).asLong())));
      String moves = values(event, "moves").get(0);
      players.forEach(player -> player.resumed(games.get(0), moves, clocks));
    } else {
      String end = values(event, "result").get(0) + " " + values(event, "termination").get(0) + " ";
      assertThat(GameState.endOf(randomGames.game(games.get(0)).end()))
          .as("announced ending")
          .isEqualTo(end);
    }
  }

  /** The receiver of a move of NIP-100. */
  private RandomPlayer receiver(JsonNode move) {
    String author = move.get("pubkey").asText();
    return author.equals(relay)
        ? here(values(move, "p")).filter(player -> !player.isEphemeral()).findFirst().orElseThrow()
        : byOpponent.get(author);
  }

  private Stream<RandomPlayer> here(List<String> pubkeys) {
    return pubkeys.stream().filter(players::containsKey).map(players::get);
  }

  private static List<String> values(JsonNode event, String name) {
    return tags(event, name).map(tag -> tag.get(1).asText()).toList();
  }

  private static Stream<JsonNode> tags(JsonNode event, String name) {
    return StreamSupport.stream(event.get("tags").spliterator(), false)
        .filter(tag -> tag.get(0).asText().equals(name));
  }
}
