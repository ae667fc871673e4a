package gambit.chess.session.intake;

import gambit.chess.dialect.DialectReader;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.RelayEvents;
import gambit.core.feature.EventCheck;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Refuses to import what could be a command of a running game, requests to play, and the relay's
 * own answers to players. Thread-safe.
 *
 * @param self the relay's own key
 */
public record ChessImportCheck(List<DialectReader> readers, FinishedGames games, PubKey self)
    implements EventCheck {
  @Override
  public Optional<Reason> objection(Event event, Instant now) {
    if (event.pubkey().equals(self)
        && event.kind() == RelayEvents.FOUND_KIND
        && !RelayEvents.isFirstOfGame(event)) {
      return Optional.of(Reason.blocked("an answer of this relay to a player is not stored"));
    }
    for (DialectReader reader : readers) {
      if (reader.isCandidate(event)) {
        PlayerEvent interpreted = reader.read(event);
        return interpreted.content() instanceof PlayerEvent.Content.Mistyped mistyped
            ? Optional.of(mistyped.hint())
            : interpreted.isRequest() ? games.objection(interpreted, now) : Optional.empty();
      }
    }
    return Optional.empty();
  }
}
