package gambit.app.tool.verify;

import gambit.app.tool.client.ChessKinds;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.Optional;

/**
 * The {@code gameisfound} event that began a game: its players, initial position and time control.
 *
 * @param game the id of that event, which is also the id of the game
 * @param relay the key of the event's author, the referee of this game
 * @param initial the initial position
 * @param startedAt epoch milliseconds
 */
record GameAnnouncement(
    EventId game,
    PubKey white,
    PubKey black,
    PubKey relay,
    Position initial,
    TimeControl time,
    long startedAt) {

  /** Parses an event; empty if it does not announce a game. */
  static Optional<GameAnnouncement> parse(Event event) {
    Optional<PubKey> white = player(event, Side.WHITE);
    Optional<PubKey> black = player(event, Side.BLACK);
    Optional<String> fen = event.tags().first("fen");
    Optional<Position> initial =
        fen.isPresent() ? Position.parseFen(fen.get()) : Optional.of(Position.initial());
    Optional<TimeControl> time = event.tags().first("time").flatMap(TimeControl::parse);
    if (event.kind() != ChessKinds.LOBBY
        || !event.content().equals(ChessProtocol.FOUND)
        || event.tags().has("e")
        || ChessProtocol.isJob(event)
        || ChessProtocol.repeats(event, "time")
        || ChessProtocol.repeats(event, "fen")
        || white.isEmpty()
        || black.isEmpty()
        || white.equals(black)
        || time.isEmpty()
        || initial.flatMap(Position::outcome).isPresent()) {
      return Optional.empty();
    }
    return initial.map(
        position ->
            new GameAnnouncement(
                event.id(),
                white.get(),
                black.get(),
                event.pubkey(),
                position,
                time.get(),
                event.createdAt() * 1000));
  }

  PubKey player(Side side) {
    return side == Side.WHITE ? white : black;
  }

  /** The side of a player of this game. */
  Side sideOf(PubKey player) {
    return player.equals(white) ? Side.WHITE : Side.BLACK;
  }

  /** Whether an event names the two players with the same sides as the announcement. */
  boolean namesPlayers(Event event) {
    return player(event, Side.WHITE).equals(Optional.of(white))
        && player(event, Side.BLACK).equals(Optional.of(black));
  }

  private static Optional<PubKey> player(Event event, Side side) {
    List<String> keys =
        event
            .tags()
            .named("p")
            .filter(tag -> tag.size() > 3 && tag.get(3).equals(ChessProtocol.colour(side)))
            .map(tag -> tag.get(1))
            .toList();
    return keys.size() == 1 && Hex.isLowerCase(keys.get(0), 64)
        ? Optional.of(PubKey.ofHex(keys.get(0)))
        : Optional.empty();
  }
}
