package gambit.chess.session.play;

import gambit.chess.dialect.Reply;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.GameEvent;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Ruling.Step;
import gambit.chess.game.Termination;
import gambit.chess.session.journal.GameRows;
import gambit.chess.session.journal.GameSnapshot;
import gambit.chess.session.journal.MoveEventIds;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.SeenEvents;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.crypto.LazilySignedEvent;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Commits the steps of games. A step takes effect once it is committed; one that cannot be
 * committed has not happened. Owned by the chess lane.
 */
final class GameSteps {
  /**
   * The cause of a step: a player's request, or the relay itself. Immutable.
   *
   * @param request the player's request; empty if the relay has caused the step
   * @param reply the answer to the request
   * @param published the public event that is stored for the request, if there is one
   */
  record Cause(Optional<PlayerRequest> request, Reply reply, Optional<Event> published) {
    /** The relay: time is up, or a player has abandoned the game. */
    static final Cause RELAY =
        new Cause(Optional.empty(), Reply.accepted("", List.of()), Optional.empty());

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

    void answer(Announcements announcements) {
      request.ifPresent(it -> announcements.reply(it.submission(), reply));
    }

    List<Row> rows(SeenEvents seen) {
      return request.isEmpty() || isStored()
          ? List.of()
          : seen.rows(request.get().id(), reply.refusal(), false);
    }

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

    List<Outgoing> refusals(WriteOutcome outcome) {
      return request.<Outgoing>map(it -> it.submission().refused(outcome.reason())).stream()
          .toList();
    }

    /** The player who has ended the game by cancelling the search that has led to it. */
    private Optional<PubKey> leaver(FinishedGame over) {
      return over.termination() == Termination.ABORTED
          ? request.filter(it -> it.request().endsSearch()).map(PlayerRequest::player)
          : Optional.empty();
    }
  }

  /** A step that is being committed; the state event is published if spectators see a change. */
  private record Pending(
      GameSession game,
      Step step,
      Cause cause,
      GameSnapshot next,
      Optional<Supplier<LazilySignedEvent>> state,
      Announcements announcements) {}

  private final SessionContext context;
  private final RunningGames running;
  private final GameTimers timers;
  private final GameRows gameRows;
  private final StepAnnouncer announcer;
  private final MissedEndings endings;
  private final Reminders reminders;
  private final Games.Listener listener;

  GameSteps(
      SessionContext context,
      RunningGames running,
      GameTimers timers,
      GameRows gameRows,
      StepAnnouncer announcer,
      MissedEndings endings,
      Reminders reminders,
      Games.Listener listener) {
    this.context = context;
    this.running = running;
    this.timers = timers;
    this.gameRows = gameRows;
    this.announcer = announcer;
    this.endings = endings;
    this.reminders = reminders;
    this.listener = listener;
  }

  void commit(GameSession game, Step step, PlayerRequest request) {
    Reply reply = request.dialect().granted(request.event(), step.events());
    if (reply.refusal() != null || context.bind(request)) {
      Optional<Event> published =
          request
              .dialect()
              .published(game.ref(), request.event(), game.game(), step.events(), context.now());
      commit(game, step, new Cause(Optional.of(request), reply, published));
    }
  }

  void commit(GameSession game, Step step) {
    commit(game, step, Cause.RELAY);
  }

  private void commit(GameSession game, Step step, Cause cause) {
    Announcements announcements = context.announce();
    cause.answer(announcements);
    GameSnapshot next = next(game.snapshot(), step, cause);
    Optional<Supplier<LazilySignedEvent>> state =
        announcer.announce(announcements, game, step, next, cause);
    announcements.addRows(cause.rows(context.seen()));
    AwaitedMoves awaited = running.known().awaited();
    if (step.next() instanceof FinishedGame) {
      announcements.addRows(gameRows.rowsOfEnd(game.ref(), game.snapshot()));
      announcements.addRows(Reminders.rowsOfEnd(game.ref()));
      announcements.beforeOutput(() -> running.endCommitted(game.ref()));
    } else {
      announcements.addRows(gameRows.rowsOfStep(game.ref(), game.snapshot(), next));
      if (passesTurn(game, next)) {
        reminders.turnPasses(game.ref(), next.game()).ifPresent(announcements::addRow);
      }
      announcements.beforeOutput(() -> awaited.gameCommitted(game.ref(), next.game()));
    }
    awaited.gameDecided(game.ref(), next.game());
    Pending pending = new Pending(game, step, cause, next, state, announcements);
    context
        .commits()
        .store(game.players(), announcements, cause::refusals, outcome -> settle(pending, outcome));
  }

  private static boolean passesTurn(GameSession game, GameSnapshot next) {
    return next.plies().size() != game.snapshot().plies().size();
  }

  private static GameSnapshot next(GameSnapshot before, Step step, Cause cause) {
    OngoingGame game =
        step.next() instanceof FinishedGame over ? over.last() : (OngoingGame) step.next();
    MoveEventIds plies = before.plies();
    List<String> proposal = game.proposal() == null ? null : before.proposal();
    for (GameEvent event : step.events()) {
      if (event instanceof GameEvent.Moved && cause.published().isPresent()) {
        plies = plies.append(cause.published().get().id());
      } else if (event instanceof GameEvent.TakenBack back) {
        plies = plies.first(plies.size() - back.plies());
      } else if (event instanceof GameEvent.Proposed && cause.evidence().isPresent()) {
        proposal = cause.evidence().get();
      }
    }
    return new GameSnapshot(game, plies, proposal);
  }

  private void settle(Pending pending, WriteOutcome outcome) {
    GameSession game = pending.game();
    if (outcome != WriteOutcome.STORED) {
      undo(pending, outcome);
      return;
    }
    pending.cause().remember(context.seen());
    if (pending.step().events().get(0) instanceof GameEvent.Moved) {
      context.metrics().moved();
    }
    if (pending.step().next() instanceof FinishedGame over) {
      finish(pending, over);
    } else {
      boolean passesTurn = passesTurn(game, pending.next());
      game.advance(pending.next());
      if (passesTurn) {
        reminders.turnPassed(game);
      }
      pending.state().ifPresent(game::addPublishedState);
      timers.setAlarm(game);
    }
  }

  /** Undoes a step that could not be committed; a step of the relay is tried again. */
  private void undo(Pending pending, WriteOutcome outcome) {
    GameSession game = pending.game();
    running.add(game); // its end may have been told to other threads
    pending.cause().request().ifPresentOrElse(context::unbind, () -> tryAgain(pending, outcome));
  }

  /** Tries a step of the relay's again; a game can end without its record if the store is full. */
  private void tryAgain(Pending pending, WriteOutcome outcome) {
    if (outcome == WriteOutcome.FULL && pending.step().next() instanceof FinishedGame over) {
      endWithoutRecord(pending, over);
    } else {
      timers.retry(pending.game(), outcome);
    }
  }

  /** Ends a game without its record, for which the store has no room. */
  private void endWithoutRecord(Pending pending, FinishedGame over) {
    GameSession game = pending.game();
    pending.announcements().storeNothing();
    context
        .commits()
        .store(
            game.players(),
            pending.announcements(),
            outcome -> List.of(),
            outcome -> {
              if (outcome == WriteOutcome.STORED) {
                finish(pending, over);
              } else {
                running.add(game); // its end may have been told to other threads
                timers.retry(game, outcome);
              }
            });
  }

  private void finish(Pending pending, FinishedGame over) {
    GameSession game = pending.game();
    timers.cancel(game);
    running.remove(game);
    reminders.gameEnded(game);
    pending.announcements().missedEndings().forEach(endings::endingCommitted);
    pending.announcements().afterCommit().run();
    context.metrics().ended(over.termination());
    listener.gameEnded(game, over, pending.cause().leaver(over));
    game.endTimeoutDecision().forEach(listener::retry);
  }
}
