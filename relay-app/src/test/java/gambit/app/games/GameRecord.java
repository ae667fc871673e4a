package gambit.app.games;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.testkit.Client;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A record of a game (kind 64): its ending, and the ids of the events of its moves. */
public record GameRecord(String end, List<String> plies) {

  /** Queries the records of some games, by game; empty for a game without one. */
  public static Map<String, List<GameRecord>> of(Client client, Collection<String> games) {
    Map<String, List<GameRecord>> records = new TreeMap<>();
    games.forEach(game -> records.put(game, new ArrayList<>()));
    String ids = String.join("\",\"", games);
    client.send("[\"REQ\",\"records\",{\"kinds\":[64],\"#e\":[\"" + ids + "\"]}]");
    List<JsonNode> frames = client.until("EOSE");
    client.send("[\"CLOSE\",\"records\"]");
    for (JsonNode frame : frames.subList(0, frames.size() - 1)) {
      String game = "";
      String end = "";
      List<String> plies = new ArrayList<>();
      for (JsonNode tag : frame.get(2).get("tags")) {
        switch (tag.get(0).asText()) {
          case "e" -> game = tag.get(1).asText();
          case "result", "termination" -> end += tag.get(1).asText() + " ";
          case "plies" -> tag.forEach(id -> plies.add(id.asText()));
          default -> {}
        }
      }
      records.get(game).add(new GameRecord(end, plies.subList(1, plies.size())));
    }
    return records;
  }
}
