package gambit.app.verify;

import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.rules.Rules;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.Optional;

/**
 * The {@code gameisfound} that began a game: who plays whom, from where.
 *
 * @param game the id of that event, and so the game's
 * @param relay the key that signs as the referee of this game
 * @param initial the position in which it began
 * @param startedAt epoch milliseconds
 */
record Announcement(
    EventId game,
    PubKey white,
    PubKey black,
    PubKey relay,
    Position initial,
    TimeControl time,
    long startedAt) {

  /** What the event announces, or nothing when it is no announcement of a game. */
  static Optional<Announcement> read(Event event) {
    Optional<PubKey> white = player(event, Side.WHITE);
    Optional<PubKey> black = player(event, Side.BLACK);
    Optional<String> fen = event.tags().first("fen");
    Optional<Position> initial =
        fen.isPresent() ? Rules.parseFen(fen.get()) : Optional.of(Rules.initial());
    Optional<TimeControl> time = event.tags().first("time").flatMap(TimeControl::parse);
    if (event.kind() != Protocol.LOBBY
        || !event.content().equals(Protocol.FOUND)
        || event.tags().named("e").findAny().isPresent()
        || Protocol.isJob(event)
        || Protocol.repeats(event, "time")
        || Protocol.repeats(event, "fen")
        || white.isEmpty()
        || black.isEmpty()
        || white.equals(black)
        || time.isEmpty()
        || initial.flatMap(Position::outcome).isPresent()) {
      return Optional.empty();
    }
    return initial.map(
        position ->
            new Announcement(
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

  /** The side of one of the two players. */
  Side sideOf(PubKey player) {
    return player.equals(white) ? Side.WHITE : Side.BLACK;
  }

  /** Whether an event of the relay names both players, each with the same side. */
  boolean namesPlayers(Event event) {
    return player(event, Side.WHITE).equals(Optional.of(white))
        && player(event, Side.BLACK).equals(Optional.of(black));
  }

  private static Optional<PubKey> player(Event event, Side side) {
    List<String> keys =
        event
            .tags()
            .named("p")
            .filter(tag -> tag.size() > 3 && tag.get(3).equals(Protocol.colour(side)))
            .map(tag -> tag.get(1))
            .toList();
    return keys.size() == 1 && Hex.isLowerCase(keys.get(0), 64)
        ? Optional.of(PubKey.ofHex(keys.get(0)))
        : Optional.empty();
  }
}
