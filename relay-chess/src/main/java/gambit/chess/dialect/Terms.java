package gambit.chess.dialect;

import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.rules.Rules;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an invite says in its tags. Immutable.
 *
 * @param opponent who is invited; null when anybody is
 * @param inviter the side that the inviter wants; null when it is drawn by lot
 * @param expiresAt seconds of Unix time
 */
public record Terms(
    @Nullable PubKey opponent,
    @Nullable Side inviter,
    TimeControl time,
    Position initial,
    long expiresAt) {
  private static final long OPEN_SECONDS = 60;
  private static final long DIRECT_SECONDS = 24 * 60 * 60;

  /**
   * Reads an invite's tags.
   *
   * @param now seconds of Unix time
   */
  public static Terms of(Event invite, TimeControl otherwise, long now) throws BadTag {
    Tags tags = invite.tags();
    Optional<String> p = tags.first("p");
    PubKey opponent = null;
    if (p.isPresent()) {
      opponent = pubkey(p.get());
    }
    if (invite.pubkey().equals(opponent)) {
      throw new BadTag("nobody can play against oneself");
    }
    long patience = opponent == null ? OPEN_SECONDS : DIRECT_SECONDS;
    return new Terms(
        opponent,
        colour(tags),
        time(tags, otherwise),
        position(tags),
        expiration(tags, now, now + patience));
  }

  /**
   * What a rematch means: the last game again with the colours swapped.
   *
   * @param now seconds of Unix time
   */
  public static Terms rematch(
      Event event, PubKey opponent, Side side, TimeControl time, Position initial, long now)
      throws BadTag {
    long expiresAt = expiration(event.tags(), now, now + DIRECT_SECONDS);
    return new Terms(opponent, side, time, initial, expiresAt);
  }

  /** The time control that an event asks for. */
  public static TimeControl time(Tags tags, TimeControl otherwise) throws BadTag {
    Optional<String> text = tags.first("time");
    if (text.isEmpty()) {
      return otherwise;
    }
    return TimeControl.parse(text.get())
        .orElseThrow(() -> new BadTag("not a time control like 300, 300+3, 1/600 or -"));
  }

  /**
   * The event that an {@code e} tag names.
   *
   * @param what it has to name, for the player
   */
  public static EventId named(Event event, String what) throws BadTag {
    String id =
        event.tags().first("e").orElseThrow(() -> new BadTag("an e tag has to name " + what));
    if (!Hex.isLowerCase(id, 64)) {
      throw new BadTag("the e tag is not an id of 64 hexadecimal digits");
    }
    return EventId.ofHex(id);
  }

  private static PubKey pubkey(String hex) throws BadTag {
    if (!Hex.isLowerCase(hex, 64)) {
      throw new BadTag("the p tag is not a public key of 64 hexadecimal digits");
    }
    return PubKey.ofHex(hex);
  }

  private static @Nullable Side colour(Tags tags) throws BadTag {
    return switch (tags.first("color").orElse("random")) {
      case "white" -> Side.WHITE;
      case "black" -> Side.BLACK;
      case "random" -> null;
      default -> throw new BadTag("the color is not one of white, black, random");
    };
  }

  private static Position position(Tags tags) throws BadTag {
    Optional<String> fen = tags.first("fen");
    if (fen.isEmpty()) {
      return Rules.initial();
    }
    Position position =
        Rules.parseFen(fen.get()).orElseThrow(() -> new BadTag("the fen is not a position"));
    if (position.outcome().isPresent()) {
      throw new BadTag("the game of that fen would be over");
    }
    return position;
  }

  private static long expiration(Tags tags, long now, long otherwise) throws BadTag {
    Optional<String> text = tags.first("expiration");
    if (text.isEmpty()) {
      return otherwise;
    }
    if (!text.get().matches("[0-9]{1,12}")) {
      throw new BadTag("the expiration is not a time in seconds");
    }
    long time = Long.parseLong(text.get());
    if (time <= now) {
      throw new BadTag("the invite has expired");
    }
    return Math.min(time, now + 30 * DIRECT_SECONDS);
  }
}
