package gambit.chess.dialect.nip100;

import gambit.chess.dialect.InviteExpiration;
import gambit.chess.dialect.MalformedTagException;
import gambit.chess.dialect.RatedStart;
import gambit.chess.dialect.Request;
import gambit.chess.dialect.SecretHash;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads requests of kind 5000 from their tags. Pure. */
final class LobbyRequestReader {
  private LobbyRequestReader() {}

  static Request.Invite invite(Event event) throws MalformedTagException {
    Tags tags = event.tags();
    Optional<String> p = tags.first("p");
    PubKey opponent = p.isPresent() ? pubkey(p.get()) : null;
    if (event.pubkey().equals(opponent)) {
      throw new MalformedTagException("nobody can play against oneself");
    }
    return new Request.Invite(
        opponent,
        colour(tags),
        Request.time(tags),
        position(tags),
        level(tags),
        RatedStart.isRequested(tags),
        InviteExpiration.of(tags),
        tags.has("unlisted"),
        SecretHash.of(tags));
  }

  static Request.AcceptInvite accept(Event event) throws MalformedTagException {
    return new Request.AcceptInvite(named(event, "the invite"), event.tags().first("secret"));
  }

  static Request.RejectInvite reject(Event event) throws MalformedTagException {
    return new Request.RejectInvite(named(event, "the invite"));
  }

  static Request.Rematch rematch(Event event) throws MalformedTagException {
    Tags tags = event.tags();
    return new Request.Rematch(
        tags.has("e") ? named(event, "the game") : null,
        tags.first("p"),
        InviteExpiration.of(tags));
  }

  static Request.StopReminders stopReminders(Event event) throws MalformedTagException {
    return new Request.StopReminders(
        event
            .tags()
            .first("token")
            .orElseThrow(() -> new MalformedTagException("a token tag is needed")));
  }

  /** The event that an {@code e} tag names; {@code what} is for the player. */
  private static EventId named(Event event, String what) throws MalformedTagException {
    String id =
        event
            .tags()
            .first("e")
            .orElseThrow(() -> new MalformedTagException("an e tag has to name " + what));
    if (!Hex.isLowerCase(id, 64)) {
      throw new MalformedTagException("the e tag is not an id of 64 hexadecimal digits");
    }
    return EventId.ofHex(id);
  }

  private static PubKey pubkey(String hex) throws MalformedTagException {
    if (!Hex.isLowerCase(hex, 64)) {
      throw new MalformedTagException("the p tag is not a public key of 64 hexadecimal digits");
    }
    return PubKey.ofHex(hex);
  }

  private static @Nullable Side colour(Tags tags) throws MalformedTagException {
    return switch (tags.first("color").orElse("random")) {
      case "white" -> Side.WHITE;
      case "black" -> Side.BLACK;
      case "random" -> null;
      default -> throw new MalformedTagException("the color is not one of white, black, random");
    };
  }

  /** The level that an invite requests; 0 without a valid one. */
  private static int level(Tags tags) {
    return tags.first("level").filter(it -> it.matches("[1-5]")).map(Integer::valueOf).orElse(0);
  }

  private static Position position(Tags tags) throws MalformedTagException {
    Optional<String> fen = tags.first("fen");
    if (fen.isEmpty()) {
      return Position.initial();
    }
    Position position =
        Position.parseFen(fen.get())
            .filter(it -> it.fullmoveNumber() <= Position.MAX_FIRST_MOVE)
            .orElseThrow(() -> new MalformedTagException("the fen is not a position"));
    if (position.outcome().isPresent()) {
      throw new MalformedTagException("the game of that fen would be over");
    }
    return position;
  }
}
