package gambit.app.games;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.Game;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Proposal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The state of a game in an event of the relay (kind 20302).
 *
 * @param id of the event
 * @param game the event's {@code d} tag
 * @param players the public keys of White and Black, in hex
 * @param move the last move, in UCI, or empty
 * @param clocks of White and Black, in milliseconds; empty if untimed
 * @param proposal the open proposal and its side, or empty
 * @param end result and termination, or empty
 */
public record GameState(
    String id,
    String game,
    List<String> players,
    String fen,
    int ply,
    String move,
    List<Long> clocks,
    String proposal,
    String end) {

  /** The state before the first one. */
  static final GameState NONE = new GameState("", "", List.of(), "", -1, "", List.of(), "", "");

  public static GameState read(JsonNode event) {
    String game = "";
    List<String> players = new ArrayList<>();
    List<Long> clocks = new ArrayList<>();
    int ply = -1;
    String move = "";
    String proposal = "";
    String end = "";
    for (JsonNode tag : event.get("tags")) {
      String value = tag.get(1).asText();
      switch (tag.get(0).asText()) {
        case "d" -> game = value;
        case "p" -> players.add(value);
        case "ply" -> ply = tag.get(1).asInt();
        case "move" -> move = value;
        case "clock" -> clocks.addAll(List.of(tag.get(1).asLong(), tag.get(2).asLong()));
        case "draw", "takeback" -> proposal = tag.get(0).asText() + " " + value;
        case "result", "termination" -> end += value + " ";
        default -> {}
      }
    }
    String fen = event.get("content").asText();
    String id = event.get("id").asText();
    return new GameState(id, game, players, fen, ply, move, clocks, proposal, end);
  }

  /** Whether it is the state of this game, apart from the clocks. */
  boolean shows(Game game) {
    OngoingGame playing = last(game);
    String last = playing.plies() == 0 ? "" : playing.moves().last().uci();
    return ply == playing.plies()
        && fen.equals(playing.position().fen())
        && move.equals(last)
        && proposal.equals(game instanceof FinishedGame ? "" : proposalOf(playing))
        && end.equals(endOf(game));
  }

  static OngoingGame last(Game game) {
    return game instanceof FinishedGame over ? over.last() : (OngoingGame) game;
  }

  static String endOf(Game game) {
    return game instanceof FinishedGame over
        ? over.result().text() + " " + over.termination().word() + " "
        : "";
  }

  private static String proposalOf(OngoingGame playing) {
    Proposal proposal = playing.proposal();
    return proposal == null ? "" : word(proposal.type()) + " " + word(proposal.by());
  }

  static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
