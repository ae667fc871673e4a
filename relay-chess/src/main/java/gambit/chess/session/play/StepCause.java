package gambit.chess.session.play;

import gambit.chess.dialect.Reply;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.SeenEvents;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.Optional;

/** The cause of a step: a player's request, or the relay itself. Immutable. */
public sealed interface StepCause {

  /** The public event that is stored for the player's request, if there is one. */
  Optional<Event> published();

  /** The proof that the player has caused it, as a tag of the game's record. */
  Optional<List<String>> evidence();

  /** The player's request, whose answer announces the step to the player; empty if the relay's. */
  Optional<PlayerRequest> request();

  /** Adds the answer to the player to the announcements. */
  void answer(Announcements announcements);

  /** The rows that make the event known after a restart. */
  List<Row> rows(SeenEvents seen);

  /** Remembers the player's event after the commit. */
  void remember(SeenEvents seen);

  /** The output if the step cannot be committed. */
  List<Outgoing> refusals(WriteOutcome outcome);

  /** The player who has ended the game by cancelling the search that has led to it. */
  default Optional<PubKey> leaver() {
    return request().filter(it -> it.request().endsSearch()).map(PlayerRequest::player);
  }

  /**
   * A player's request.
   *
   * @param reply the answer to it
   */
  record ByPlayer(PlayerRequest asked, Reply reply, Optional<Event> published)
      implements StepCause {

    /** Whether the player's own event is the one that is stored. */
    private boolean isStored() {
      return published.filter(asked.event()::equals).isPresent();
    }

    @Override
    public Optional<List<String>> evidence() {
      return Optional.of(asked.writer().evidence(asked.event()));
    }

    @Override
    public Optional<PlayerRequest> request() {
      return Optional.of(asked);
    }

    @Override
    public void answer(Announcements announcements) {
      announcements.reply(asked.submission(), reply);
    }

    @Override
    public List<Row> rows(SeenEvents seen) {
      return isStored() ? List.of() : seen.rows(asked.id(), reply.refusal(), false);
    }

    @Override
    public void remember(SeenEvents seen) {
      if (reply.refusal() != null) {
        seen.counted(asked.id(), reply.refusal());
      } else if (isStored()) {
        seen.stored(asked.id());
      } else {
        seen.commanded(asked.id());
      }
    }

    @Override
    public List<Outgoing> refusals(WriteOutcome outcome) {
      return List.of(asked.submission().refused(outcome.reason()));
    }
  }

  /** The relay: time is up, or a player has abandoned the game. */
  record ByRelay() implements StepCause {
    @Override
    public Optional<Event> published() {
      return Optional.empty();
    }

    @Override
    public Optional<List<String>> evidence() {
      return Optional.empty();
    }

    @Override
    public Optional<PlayerRequest> request() {
      return Optional.empty();
    }

    @Override
    public void answer(Announcements announcements) {}

    @Override
    public List<Row> rows(SeenEvents seen) {
      return List.of();
    }

    @Override
    public void remember(SeenEvents seen) {}

    @Override
    public List<Outgoing> refusals(WriteOutcome outcome) {
      return List.of();
    }
  }
}
