package gambit.chess.session.preview;

import gambit.chess.dialect.GameRef;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.PgnException;
import gambit.chess.game.PgnGame;
import gambit.chess.game.PgnReader;
import gambit.chess.game.TimeControl;
import gambit.chess.rating.Category;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.chess.session.jester.JesterGames;
import gambit.core.model.Event;
import gambit.core.model.Npub;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a preview shows of a game. Immutable.
 *
 * @param players White and Black
 * @param last the last move, or null before the first
 * @param result as in PGN; null while the game runs
 * @param termination the word of the tag of that name; null while the game runs
 */
record ShownGame(
    List<Seat> players,
    Position position,
    @Nullable Move last,
    int plies,
    TimeControl time,
    @Nullable Category rated,
    @Nullable String result,
    @Nullable String termination) {

  /** A player, with the level of the relay's own player, else 0. */
  record Seat(PubKey player, int level) {
    /** Whether it is the free seat of a game of kind 30 that has only begun for its author. */
    boolean isFree() {
      return JesterGames.isFree(player);
    }
  }

  static ShownGame running(GameRef ref, OngoingGame game) {
    return new ShownGame(
        List.of(seat(ref, Side.WHITE), seat(ref, Side.BLACK)),
        game.position(),
        game.plies() == 0 ? null : game.moves().last(),
        game.plies(),
        game.control(),
        ref.rated() == null ? null : ref.rated().category(),
        null,
        null);
  }

  private static Seat seat(GameRef ref, Side side) {
    return new Seat(ref.player(side), ref.seat(side).level());
  }

  /** The game of a record; nothing if the record cannot be read. */
  static Optional<ShownGame> finished(Event record) {
    List<Seat> players = seats(record);
    if (players.size() != 2) {
      return Optional.empty();
    }
    try {
      PgnGame game = PgnReader.read(record.content());
      int plies = game.moves().size();
      return Optional.of(
          new ShownGame(
              players,
              game.end(),
              plies == 0 ? null : game.moves().last(),
              plies,
              time(game.tags().getOrDefault("TimeControl", "")),
              rated(record),
              game.result().text(),
              record.tags().first("termination").orElse("")));
    } catch (PgnException e) {
      return Optional.empty();
    }
  }

  /** The game of a first event that neither runs nor has a record. */
  static Optional<ShownGame> aborted(Event first) {
    List<Seat> players = seats(first);
    Optional<Position> from =
        first.tags().first("fen").map(Position::parseFen).orElse(Optional.of(Position.initial()));
    return players.size() != 2
        ? Optional.empty()
        : from.map(
            position ->
                new ShownGame(
                    players,
                    position,
                    null,
                    0,
                    time(first.tags().first("time").orElse("")),
                    rated(first),
                    "*",
                    "aborted"));
  }

  private static List<Seat> seats(Event event) {
    return event.tags().named("p").flatMap(tag -> seat(tag).stream()).limit(3).toList();
  }

  private static Optional<Seat> seat(List<String> tag) {
    String level = tag.size() > 4 ? tag.get(4) : "";
    return Npub.parseOrHex(tag.get(1))
        .map(key -> new Seat(key, level.matches("[0-9]{1,2}") ? Integer.parseInt(level) : 0));
  }

  private static TimeControl time(String text) {
    return TimeControl.parse(text).orElse(TimeControl.UNTIMED);
  }

  private static @Nullable Category rated(Event event) {
    return event.tags().first("rated").flatMap(Category::ofWord).orElse(null);
  }
}
