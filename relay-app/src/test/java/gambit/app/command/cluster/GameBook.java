package gambit.app.command.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.testkit.Client;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What all players and spectators have been shown of all games, and the moves that were accepted. A
 * game that forks has two positions after the same number of moves. Thread-safe.
 */
final class GameBook {
  private static final int IDS_PER_FILTER = 100;

  private final Violations violations;
  private final Map<Place, Shown> positions = new ConcurrentHashMap<>();
  private final Map<Place, String> accepted = new ConcurrentHashMap<>(); // ids of moves
  private final Map<String, String> endings = new ConcurrentHashMap<>();

  /** A game after a number of moves. */
  private record Place(String game, int ply) {}

  private record Shown(String fen, String move) {}

  /**
   * The state of a game in an event of kind 20302.
   *
   * @param players White and Black
   * @param move the last one
   * @param end result and termination, or empty
   */
  record State(String game, List<String> players, int ply, String fen, String move, String end) {
    static State read(JsonNode event) {
      String game = "";
      List<String> players = new ArrayList<>();
      int ply = -1;
      String move = "";
      String end = "";
      for (JsonNode tag : event.get("tags")) {
        String value = tag.path(1).asText();
        switch (tag.get(0).asText()) {
          case "d" -> game = value;
          case "p" -> players.add(value);
          case "ply" -> ply = tag.get(1).asInt();
          case "move" -> move = value;
          case "result", "termination" -> end += value + " ";
          default -> {}
        }
      }
      return new State(game, players, ply, event.get("content").asText(), move, end);
    }
  }

  GameBook(Violations violations) {
    this.violations = violations;
  }

  /** Somebody was shown a state. */
  void shown(String where, State state) {
    Shown now = new Shown(state.fen(), state.move());
    Shown before = positions.putIfAbsent(new Place(state.game(), state.ply()), now);
    if (before != null && !before.equals(now)) {
      violations.add("a game forks at " + where + ": " + before + " and " + state);
    }
    if (!state.end().isEmpty()) {
      String end = endings.putIfAbsent(state.game(), state.end());
      if (end != null && !end.equals(state.end())) {
        violations.add("a game ends twice at " + where + ": " + end + " and " + state);
      }
    }
  }

  /** A player's move was accepted. */
  void accepted(String game, int ply, String id) {
    String before = accepted.putIfAbsent(new Place(game, ply), id);
    if (before != null && !before.equals(id)) {
      violations.add("two moves were accepted as ply " + ply + " of " + game);
    }
  }

  /** The number of accepted moves. */
  int moves() {
    return accepted.size();
  }

  /** The number of games in which both players have moved so many times. */
  long movedByBoth(int times) {
    return positions.keySet().stream()
        .filter(it -> it.ply() >= 2 * times)
        .map(Place::game)
        .distinct()
        .count();
  }

  /** The number of games that were played to an end, and not aborted before their second move. */
  long finished() {
    return endings.values().stream().filter(it -> !isAborted(it)).count();
  }

  private static boolean isAborted(String end) {
    return end.contains("aborted");
  }

  private Set<String> games() {
    Set<String> games = ConcurrentHashMap.newKeySet();
    positions.keySet().forEach(it -> games.add(it.game()));
    return games;
  }

  /** The number of games that were shown to anybody. */
  int gameCount() {
    return games().size();
  }

  /** Checks the records of all games at a node: one at most, with all accepted moves in it. */
  void check(RelayNode node) {
    List<String> games = List.copyOf(games());
    Set<String> recorded = new HashSet<>();
    try (Client client = new Client(node.url())) {
      for (int i = 0; i < games.size(); i += IDS_PER_FILTER) {
        List<String> some = games.subList(i, Math.min(games.size(), i + IDS_PER_FILTER));
        String ids = String.join("\",\"", some);
        client.send("[\"REQ\",\"records\",{\"kinds\":[64],\"#e\":[\"" + ids + "\"]}]");
        for (JsonNode frame : client.until("EOSE")) {
          if (frame.get(0).asText().equals("EVENT")) {
            assertThat(recorded.add(check(frame.get(2)))).as("one record a game").isTrue();
          }
        }
        client.send("[\"CLOSE\",\"records\"]");
      }
    }
    endings.forEach(
        (game, end) ->
            assertThat(recorded.contains(game))
                .as("%s has a record at %s (%s)", game, node.name(), end)
                .isEqualTo(!isAborted(end)));
  }

  /** Checks a record; returns its game. */
  private String check(JsonNode record) {
    String game = "";
    List<String> plies = new ArrayList<>();
    for (JsonNode tag : record.get("tags")) {
      switch (tag.get(0).asText()) {
        case "e" -> game = tag.get(1).asText();
        case "plies" -> tag.forEach(id -> plies.add(id.asText()));
        default -> {}
      }
    }
    String recorded = game;
    accepted.forEach(
        (place, id) -> {
          if (place.game().equals(recorded)) {
            assertThat(plies.size()).as("moves of %s", recorded).isGreaterThan(place.ply());
            assertThat(plies.get(place.ply())).as("%s", place).isEqualTo(id);
          }
        });
    return game;
  }
}
