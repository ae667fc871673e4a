package gambit.app.tool.verify;

import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The events that a relay has served for a game, none of them checked.
 *
 * @param announcement the event whose id is the game's
 * @param records the events that the relay serves as the game's records
 * @param events the events that the records name, by id; deleted ones from the relay's copies
 * @param erasures the players' requests to vanish (NIP-62), if an event is missing
 */
record FetchedGame(
    EventId game,
    Optional<Event> announcement,
    List<Event> records,
    Map<String, Event> events,
    List<Event> erasures) {

  /** How an event of one of some players is missing, for the report. */
  String absence(List<PubKey> players, EventVerifier verifier) {
    boolean isErased =
        erasures.stream()
            .anyMatch(
                it ->
                    it.kind() == Kind.VANISH
                        && players.contains(it.pubkey())
                        && it.createdAt() >= announcement.orElseThrow().createdAt()
                        && AuthenticityCheck.forgery(it, verifier).isEmpty());
    return isErased
        ? " was erased at its author's request (NIP-62): nothing proves it"
        : " is missing: nothing proves it";
  }
}
