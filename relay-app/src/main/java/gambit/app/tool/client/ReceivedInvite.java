package gambit.app.tool.client;

import gambit.chess.game.TimeControl;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An invite, or a rematch after a game, of another player. Without a time control, the relay's
 * default applies; without the inviter's side, it is drawn by lot; the level, for bots, and the
 * expiration, in seconds of Unix time, are 0 if they are not named. Immutable.
 */
public record ReceivedInvite(
    EventId id,
    PubKey author,
    @Nullable TimeControl time,
    @Nullable Side inviter,
    @Nullable EventId rematchOf,
    int level,
    long expiration) {

  static Optional<ReceivedInvite> of(Event event) {
    Tags tags = event.tags();
    boolean isRematch = event.content().equals("rematch");
    if (event.kind() != ChessKinds.LOBBY || (!isRematch && !event.content().equals("invite"))) {
      return Optional.empty();
    }
    Optional<EventId> game = tags.first("e").flatMap(EventTags::id);
    if (isRematch && game.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new ReceivedInvite(
            event.id(),
            event.pubkey(),
            tags.first("time").flatMap(TimeControl::parse).orElse(null),
            EventTags.side(tags.first("color").orElse("")),
            isRematch ? game.get() : null,
            EventTags.smallNumber(tags, "level", 0),
            EventTags.number(tags, "expiration", 0)));
  }
}
