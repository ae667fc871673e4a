package gambit.chess.session.play;

import gambit.chess.dialect.Reply;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.SeenEvents;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.Optional;

/**
 * The cause of a step: a player's request, or the relay itself. Immutable.
 *
 * @param request the player's request; empty if the relay has caused the step
 * @param reply the answer to the request
 * @param published the public event that is stored for the request, if there is one
 */
public record StepCause(Optional<PlayerRequest> request, Reply reply, Optional<Event> published) {
  /** The relay: time is up, or a player has abandoned the game. */
  static final StepCause RELAY =
      new StepCause(Optional.empty(), Reply.accepted("", List.of()), Optional.empty());

  /** Whether the player's own event is the one that is stored. */
  private boolean isStored() {
    return published.isPresent()
        && request.isPresent()
        && published.get().equals(request.get().event());
  }

  /** The proof that the player has caused it, as a tag of the game's record. */
  Optional<List<String>> evidence() {
    return request.map(it -> it.dialect().evidence(it.event()));
  }

  /** Adds the answer to the player to the announcements. */
  void answer(Announcements announcements) {
    request.ifPresent(it -> announcements.reply(it.submission(), reply));
  }

  /** The rows that make the event known after a restart. */
  List<Row> rows(SeenEvents seen) {
    return request.isEmpty() || isStored()
        ? List.of()
        : seen.rows(request.get().id(), reply.refusal(), false);
  }

  /** Remembers the player's event after the commit. */
  void remember(SeenEvents seen) {
    if (request.isEmpty()) {
      return;
    }
    EventId id = request.get().id();
    if (reply.refusal() != null) {
      seen.counted(id, reply.refusal());
    } else if (isStored()) {
      seen.stored(id);
    } else {
      seen.accepted(id, null);
    }
  }

  /** The output if the step cannot be committed. */
  List<Outgoing> refusals(WriteOutcome outcome) {
    return request.<Outgoing>map(it -> it.submission().refused(outcome.reason())).stream().toList();
  }

  /** The player who has ended the game by cancelling the search that has led to it. */
  public Optional<PubKey> leaver() {
    return request.filter(it -> it.request().endsSearch()).map(PlayerRequest::player);
  }
}
