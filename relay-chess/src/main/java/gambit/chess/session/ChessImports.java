package gambit.chess.session;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.JesterMessage;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.dialect.Request;
import gambit.chess.session.jester.JesterGames;
import gambit.chess.session.play.ChessSettings;
import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The checks of imported chess events without the referee, for a relay to which events are imported
 * while its games are stopped.
 */
public record ChessImports(ChessSettings settings) implements Feature {
  @Override
  public void install(RelayBuilder relay) {
    RefereeEvents events = new RefereeEvents(relay.signer(), relay.urls().primary());
    List<Dialect> dialects =
        ChessFeature.DIALECTS.stream().map(dialect -> dialect.apply(events)).toList();
    FinishedGames games =
        new FinishedGames(relay.storedEvents(), settings.maxClockSkew(), player -> Set.of());
    install(relay, dialects, games);
  }

  /**
   * Installs the check of imported events of these dialects, the rule by which events that a record
   * names outlive their deletion, and the one by which the chains of rated games and lots stay.
   */
  static void install(RelayBuilder relay, List<Dialect> dialects, FinishedGames games) {
    PubKey self = relay.signer().pubkey();
    relay.keepForever(RefereeEvents::isOfChain);
    relay.importCheck(it -> objection(it.event(), it.arrivedAt(), dialects, games, self));
    relay.keepEvidence(
        event ->
            event.kind() == JesterMessage.KIND
                ? JesterGames.isEvidence(event, relay.storedEvents())
                : dialects.stream().anyMatch(dialect -> mayBeNamed(dialect, event))
                    && games.isEvidence(event, self));
  }

  /**
   * Refuses what could be a command of a running game, requests to play, and the relay's own
   * answers to players.
   */
  private static Optional<Reason> objection(
      Event event, Instant now, List<Dialect> dialects, FinishedGames games, PubKey self) {
    if (event.pubkey().equals(self)
        && event.kind() == RefereeEvents.FOUND_KIND
        && !RefereeEvents.isFirstOfGame(event)) {
      return Optional.of(Reason.blocked("an answer of this relay to a player is not stored"));
    }
    for (Dialect dialect : dialects) {
      if (dialect.isCandidate(event)) {
        PlayerEvent interpreted = dialect.read(event);
        return interpreted.request() instanceof Request.Mistyped mistyped
            ? Optional.of(mistyped.fault())
            : interpreted.isRequest() ? games.objection(interpreted, now) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** Whether a record may name an event: it is a request of a player in a game. */
  private static boolean mayBeNamed(Dialect dialect, Event event) {
    if (!dialect.isCandidate(event)) {
      return false;
    }
    PlayerEvent read = dialect.read(event);
    return read.isRequest() && read.bindingRule() == PlayerEvent.BindingRule.REQUIRES_BOUND;
  }
}
