package gambit.app.tool.client;

import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fixed facts of a game: our side is null for a spectator, the levels are those at which the
 * relay's own player plays, or 0. The first position is as far as it is known: a resumed game from
 * a set-up position begins with its current one until its announcement has been fetched. Immutable.
 */
public record GameTerms(
    EventId id,
    PubKey white,
    PubKey black,
    @Nullable Side ours,
    TimeControl time,
    Position initial,
    int whiteLevel,
    int blackLevel) {

  /**
   * The terms that a {@code gameisfound} states: the first one of a game, or one that resumes it.
   */
  public static Optional<GameTerms> of(Event found, PubKey us) {
    Tags tags = found.tags();
    Optional<TimeControl> time = TimeControl.parse(tags.first("time").orElse(""));
    Optional<EventId> resumed = tags.root().flatMap(EventTags::id);
    if (time.isEmpty() || resumed.isPresent() != tags.root().isPresent()) {
      return Optional.empty();
    }
    Optional<Position> initial =
        resumed.isPresent()
            ? Optional.of(Position.initial())
            : tags.first("fen").map(Position::parseFen).orElse(Optional.of(Position.initial()));
    EventId id = resumed.orElse(found.id());
    return initial.flatMap(from -> of(found, id, us, time.get(), from));
  }

  /** The terms of a game with the two players that an event about it names; empty without them. */
  public static Optional<GameTerms> of(
      Event event, EventId id, @Nullable PubKey us, TimeControl time, Position initial) {
    PubKey white = player(event, Side.WHITE);
    PubKey black = player(event, Side.BLACK);
    if (white == null || black == null || white.equals(black)) {
      return Optional.empty();
    }
    Side ours = white.equals(us) ? Side.WHITE : black.equals(us) ? Side.BLACK : null;
    int whites = level(event, Side.WHITE);
    int blacks = level(event, Side.BLACK);
    return Optional.of(new GameTerms(id, white, black, ours, time, initial, whites, blacks));
  }

  /** The player of a side that an event about a game names; null if it does not name one. */
  public static @Nullable PubKey player(Event event, Side side) {
    List<String> keys = players(event, side).map(tag -> tag.get(1)).toList();
    return keys.size() == 1 && Hex.isLowerCase(keys.get(0), 64) ? PubKey.ofHex(keys.get(0)) : null;
  }

  public static int level(Event event, Side side) {
    return players(event, side)
        .map(tag -> (int) EventTags.number(EventTags.at(tag, 4), 0))
        .findFirst()
        .orElse(0);
  }

  private static Stream<List<String>> players(Event event, Side side) {
    return event.tags().named("p").filter(tag -> EventTags.side(EventTags.at(tag, 3)) == side);
  }

  public int level(Side side) {
    return side == Side.WHITE ? whiteLevel : blackLevel;
  }

  public PubKey player(Side side) {
    return side == Side.WHITE ? white : black;
  }

  public @Nullable Side sideOf(PubKey player) {
    if (player.equals(white)) {
      return Side.WHITE;
    }
    return player.equals(black) ? Side.BLACK : null;
  }

  GameTerms withInitial(Position position) {
    return new GameTerms(id, white, black, ours, time, position, whiteLevel, blackLevel);
  }
}
