package gambit.chess.session;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.DialectReader;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.RelayEvents;
import gambit.chess.session.intake.ChessImportCheck;
import gambit.chess.session.intake.FinishedGames;
import gambit.chess.session.runtime.ChessSettings;
import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.util.List;

/**
 * The checks of imported chess events without the referee, for a relay to which events are imported
 * while its games are stopped.
 */
public record ChessImports(ChessSettings settings) implements Feature {
  @Override
  public void install(RelayBuilder relay) {
    RelayEvents events = new RelayEvents(relay.signer(), relay.urls().primary());
    List<Dialect> dialects =
        ChessFeature.DIALECTS.stream().map(dialect -> dialect.apply(events)).toList();
    FinishedGames games =
        new FinishedGames(relay.storedEvents(), settings.maxClockSkew(), player -> false);
    install(relay, dialects, games);
  }

  /** Installs the check of imported events of these dialects, and what is kept of deleted ones. */
  static void install(RelayBuilder relay, List<Dialect> dialects, FinishedGames games) {
    List<DialectReader> readers = dialects.stream().map(Dialect::reader).toList();
    PubKey self = relay.signer().pubkey();
    relay.importCheck(new ChessImportCheck(readers, games, self));
    relay.keepEvidence(
        event ->
            readers.stream().anyMatch(reader -> mayBeNamed(reader, event))
                && games.isEvidence(event, self));
  }

  /** Whether a record may name an event: it is a request of a player in a game. */
  private static boolean mayBeNamed(DialectReader reader, Event event) {
    if (!reader.isCandidate(event)) {
      return false;
    }
    PlayerEvent read = reader.read(event);
    return read.isRequest() && read.bindingRule() == PlayerEvent.BindingRule.REQUIRES_BOUND;
  }
}
