package gambit.chess.session.play;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.Dialect.Trait;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Notification;
import gambit.chess.dialect.RatedStart;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.dialect.Reply;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.GameEvent;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Result;
import gambit.chess.game.Ruling.Step;
import gambit.chess.game.Termination;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.chess.session.play.ReturningPlayers.MissedEnding;
import gambit.core.crypto.LazilySignedEvent;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Commits the steps of games, and announces them to players and spectators. A step takes effect
 * once it is committed; one that cannot be committed has not happened. Owned by the chess lane.
 */
final class GameSteps {
  /**
   * The cause of a step: a player's request, or the relay itself. Immutable.
   *
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
      return request.map(it -> it.refusals(outcome)).orElse(List.of());
    }

    /** The player who has ended the game by cancelling the search that has led to it. */
    private Optional<PubKey> leaver(FinishedGame over) {
      return over.termination() == Termination.ABORTED
          ? request.filter(it -> it.interpreted().request().endsSearch()).map(PlayerRequest::player)
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
  private final ReturningPlayers returning;
  private final Ratings ratings;
  private final Reminders reminders;
  private final Games.Listener listener;

  GameSteps(
      SessionContext context,
      RunningGames running,
      GameRows gameRows,
      ReturningPlayers returning,
      Ratings ratings,
      Reminders reminders,
      Games.Listener listener) {
    this.context = context;
    this.running = running;
    this.timers = new GameTimers(context, running, this::commit, listener::retry);
    this.gameRows = gameRows;
    this.returning = returning;
    this.ratings = ratings;
    this.reminders = reminders;
    this.listener = listener;
  }

  GameTimers timers() {
    return timers;
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
    cause.request().ifPresent(it -> announcements.reply(it.submission(), cause.reply()));
    GameSnapshot next = next(game.snapshot(), step, cause);
    Optional<Supplier<LazilySignedEvent>> state = announce(announcements, game, step, next, cause);
    announcements.addRows(cause.rows(context.seen()));
    AwaitedMoves awaited = running.known().awaited();
    if (step.next() instanceof FinishedGame) {
      announcements.addRows(gameRows.rowsOfEnd(game.ref(), game.snapshot()));
      announcements.addRows(Reminders.rowsOfEnd(game.ref()));
      announcements.beforeOutput(() -> running.known().gameEnded(game.id()));
    } else {
      announcements.addRows(gameRows.rowsOfStep(game.ref(), game.snapshot(), next));
      if (passesTurn(game, next)) {
        reminders.turnPasses(game.ref(), next.game()).ifPresent(announcements::addRow);
      }
      announcements.beforeOutput(() -> awaited.gameCommitted(game.ref(), next.game()));
    }
    awaited.gameDecided(game.ref(), next.game());
    store(new Pending(game, step, cause, next, state, announcements));
  }

  private void store(Pending pending) {
    context.commit(
        pending.game().players(),
        pending.announcements(),
        pending.cause()::refusals,
        outcome -> settle(pending, outcome));
  }

  private static boolean passesTurn(GameSession game, GameSnapshot next) {
    return next.plies().size() != game.snapshot().plies().size();
  }

  private static GameSnapshot next(GameSnapshot before, Step step, Cause cause) {
    OngoingGame game =
        step.next() instanceof FinishedGame over ? over.last() : (OngoingGame) step.next();
    List<EventId> plies = before.plies();
    List<String> proposal = game.proposal() == null ? null : before.proposal();
    for (GameEvent event : step.events()) {
      if (event instanceof GameEvent.Moved && cause.published().isPresent()) {
        plies = before.pliesWith(cause.published().get().id());
      } else if (event instanceof GameEvent.TakenBack back) {
        plies = plies.subList(0, plies.size() - back.plies());
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

  /**
   * Undoes a step that could not be committed; a step of the relay is tried again, without the
   * game's record if the store has no room for it.
   */
  private void undo(Pending pending, WriteOutcome outcome) {
    Optional<PlayerRequest> request = pending.cause().request();
    running.add(pending.game()); // its end may have been told to other threads
    if (request.isPresent()) {
      context.unbind(request.get());
    } else if (outcome == WriteOutcome.FULL && pending.announcements().storeNothing()) {
      store(pending);
    } else {
      timers.retry(pending.game(), outcome);
    }
  }

  private void finish(Pending pending, FinishedGame over) {
    GameSession game = pending.game();
    timers.cancel(game);
    running.remove(game);
    reminders.gameEnded(game);
    pending.announcements().missedEndings().forEach(returning::endingCommitted);
    pending.announcements().afterCommit().run();
    context.metrics().ended(over.termination());
    listener.gameEnded(game, over, pending.cause().leaver(over));
    game.endTimeoutDecision().forEach(listener::retry);
  }

  /** Announces a step; returns the new state event of the game, if spectators see a change. */
  private Optional<Supplier<LazilySignedEvent>> announce(
      Announcements announcements, GameSession game, Step step, GameSnapshot next, Cause cause) {
    GameRef ref = game.ref();
    GameEvent first = step.events().get(0);
    cause.published().ifPresent(event -> publish(announcements, ref, event, first));
    if (first instanceof GameEvent.Moved moved && cause.request().isPresent()) {
      Instant arrivedAt = cause.request().get().submission().arrivedAt();
      announcements.whenSent(
          ref.player(moved.by().opponent()), () -> context.metrics().moveDelivered(arrivedAt));
    }
    boolean isPublished = cause.published().isPresent();
    for (GameEvent event : step.events()) {
      notifyPlayers(announcements, ref, next.game(), event, isPublished);
    }
    Position before = first instanceof GameEvent.Moved ? game.game().position() : null;
    if (step.next() instanceof FinishedGame over) {
      announcements.publishState(
          ref, () -> context.relay().state(ref, over, before, List.of()), true);
      announceEnd(announcements, ref, over);
      if (over.result() != Result.NONE) {
        List<List<String>> evidence =
            RefereeEvents.evidence(
                over.termination(), game.snapshot().proposal(), cause.evidence());
        List<String> plies = next.plies().stream().map(EventId::hex).toList();
        RefereeEvents.Draft record = context.relay().record(ref, over, plies, evidence);
        RatedStart rated = ref.rated();
        if (rated == null) {
          announcements.publish(record.sign(List.of()));
        } else {
          ratings.end(announcements, ref, rated, over, record);
        }
      }
      return Optional.empty();
    }
    if (first instanceof GameEvent.IllegalMove) {
      return Optional.empty();
    }
    Supplier<LazilySignedEvent> state = state(ref, next.game(), before);
    announcements.publishState(ref, state, false);
    return Optional.of(state);
  }

  /** The state event of a game, which is built and signed only if somebody follows the game. */
  Supplier<LazilySignedEvent> state(GameRef ref, OngoingGame playing, @Nullable Position before) {
    return new StateEvent(() -> context.relay().state(ref, playing, before, List.of()));
  }

  private static void publish(
      Announcements announcements, GameRef ref, Event event, GameEvent happened) {
    if (happened instanceof GameEvent.Moved moved) {
      Side opponent = moved.by().opponent();
      announcements.publishMove(event, ref.player(opponent), ref.dialect(opponent));
    } else {
      announcements.publish(event);
    }
  }

  /** Notifies single players of an event of a game; {@code next} is the game after the step. */
  private void notifyPlayers(
      Announcements announcements,
      GameRef ref,
      OngoingGame next,
      GameEvent event,
      boolean isPublished) {
    if (event instanceof GameEvent.Proposed proposed) {
      Side asked = proposed.by().opponent();
      announcements.notifyPlayer(
          ref.player(asked),
          ref.dialect(asked).proposed(ref, proposed.type(), isPublished, context.now()));
    } else if (event instanceof GameEvent.TakenBack) {
      for (Side side : Side.values()) {
        Dialect writer = ref.dialect(side);
        if (!writer.has(Trait.FOLLOWS_STATES)) {
          announcements.notifyPlayer(
              ref.player(side), List.of(writer.shown(ref, next, side, context.now())));
        }
      }
    }
  }

  /**
   * Notifies both players of the end. Each ending is kept until a connection of the player is known
   * to have got it: the player may be away, or the relay may be killed before it is sent.
   */
  private void announceEnd(Announcements announcements, GameRef ref, FinishedGame over) {
    Side first = over.result() == Result.BLACK_WINS ? Side.BLACK : Side.WHITE;
    MissedEnding ending = ending(ref, over, first);
    MissedEnding other = ending(ref, over, first.opponent());
    Set<ClientConnection> connections = context.bindings().of(ending.player());
    Set<ClientConnection> others = new LinkedHashSet<>(context.bindings().of(other.player()));
    boolean isShared =
        other.notice().event().id().equals(ending.notice().event().id())
            && others.removeAll(connections); // one connection for both players
    boolean isForBoth = isShared && others.isEmpty();
    announcements.notifyPlayer(
        ending.player(),
        connections,
        ending.notice(),
        isSent -> {
          returning.endingSent(ending, isSent);
          if (isForBoth) {
            returning.endingSent(other, isSent);
          }
        });
    if (!isForBoth) {
      announcements.notifyPlayer(
          other.player(), others, other.notice(), isSent -> returning.endingSent(other, isSent));
    }
    announcements.addMissedEnding(ending);
    announcements.addMissedEnding(other);
  }

  private MissedEnding ending(GameRef ref, FinishedGame over, Side side) {
    Notification notice = ref.dialect(side).ended(ref, over, side);
    long until = context.now() + ReturningPlayers.keptFor(ref).toMillis();
    return new MissedEnding(ref.player(side), ref.id(), notice, until);
  }

  /** The event with a state of a game, built once, when it is first needed. Any thread. */
  private static final class StateEvent implements Supplier<LazilySignedEvent> {
    private final Supplier<LazilySignedEvent> builder;
    private @Nullable LazilySignedEvent built;

    private StateEvent(Supplier<LazilySignedEvent> builder) {
      this.builder = builder;
    }

    @Override
    public synchronized LazilySignedEvent get() {
      if (built == null) {
        built = builder.get();
      }
      return built;
    }
  }
}
