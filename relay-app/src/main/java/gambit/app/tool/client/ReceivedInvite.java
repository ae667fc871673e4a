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
 * An invite or a rematch of another player. Immutable.
 *
 * @param time the time control, or null if the invite names none (the relay's default applies)
 * @param inviter the side of the inviter, or null if it is drawn by lot
 * @param rematchOf the game after which a rematch is requested, or null for an invite
 * @param level the value of the {@code level} tag, for bots; 0 without one
 * @param expiration Unix time in seconds; 0 if the invite names none
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
    Optional<EventId> game = EventTags.id(tags.first("e"));
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
