package gambit.chess.session;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Notice;
import gambit.chess.dialect.Reply;
import gambit.chess.dialect.Request;
import gambit.chess.game.Command;
import gambit.chess.game.Decision;
import gambit.chess.game.GameEvent;
import gambit.chess.game.Over;
import gambit.chess.game.Playing;
import gambit.chess.game.Proposal;
import gambit.chess.game.Referee;
import gambit.chess.game.Refused;
import gambit.chess.game.Result;
import gambit.chess.game.Step;
import gambit.chess.game.Termination;
import gambit.chess.rules.Move;
import gambit.chess.rules.Side;
import gambit.core.crypto.Draft;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The games that run. The chess lane's only, but for {@link #of} and {@link #size}.
 *
 * <p>A step of a game is decided by the {@link Referee}, committed together with how the game
 * stands then, and only after that becomes the game and is told; if it cannot be committed, it has
 * not happened. Time is up only when everything that came in before has been decided.
 */
final class Games {
  /** For how long one may be gone from a game without clocks. */
  private static final Duration UNTIMED_GRACE = Duration.ofDays(1);

  /** After how long the end of a game is tried again that could not be committed. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  /** Hears what becomes of games. */
  interface Listener {
    /** An event has to be handled once more, now that it is known whose time was up. */
    void again(Submission submission);

    /**
     * A game is over.
     *
     * @param cause the player's event by which it is, or null
     */
    void over(GameSession game, Over over, @Nullable Ask cause);

    /** A player has no connection in a game that runs. */
    void isAway(PubKey player, GameSession game);

    /** The ending of a game is stored for a player who was away. */
    void missed(WaitingEndings.Ending ending);
  }

  private final Desk desk;
  private final Journal journal;
  private final AwaitedMoves awaited;
  private final SpectatorsWall wall;
  private final Consumer<Runnable> afterArrivals;
  private final Listener listener;
  private final Map<PubKey, GameSession> games = new ConcurrentHashMap<>();
  private List<GameSession> recovered = new ArrayList<>();

  /**
   * No games yet.
   *
   * @param afterArrivals runs a task when all that has come in was handed to the chess lane
   */
  Games(
      Desk desk,
      AwaitedMoves awaited,
      SpectatorsWall wall,
      Consumer<Runnable> afterArrivals,
      Listener listener) {
    this.desk = desk;
    this.journal = new Journal(desk.dialects());
    this.awaited = awaited;
    this.wall = wall;
    this.afterArrivals = afterArrivals;
    this.listener = listener;
  }

  /** The game that a player plays. Any thread. */
  @Nullable GameSession of(PubKey player) {
    return games.get(player);
  }

  int size() {
    return games.size() / 2;
  }

  /** Finds the games that ran before a restart; time stands until {@link #resume}. */
  void recover(Map<String, byte[]> rows) {
    List<Journal.Entry> entries = journal.read(rows);
    entries.sort(Comparator.comparingLong(entry -> entry.standing().game().changedAt()));
    for (Journal.Entry entry : entries) {
      GameSession game =
          new GameSession(entry.ref(), entry.standing(), new Connects(), new Connects(), false);
      Supplier<Draft> state = state(entry.ref(), game.game());
      game.givesOut(state);
      Announcements told = desk.announce();
      told.state(game, state, false);
      desk.commits().tell(told.outgoing());
      enter(game);
      recovered.add(game);
    }
  }

  /** Clients can come: clocks and periods of grace of the games from before a restart begin. */
  void resume() {
    long now = desk.now();
    for (GameSession game : recovered) {
      Standing was = game.standing();
      game.advance(new Standing(was.game().resumed(now), was.plies(), was.proposal()));
      run(game);
    }
    recovered = List.of();
  }

  /**
   * Begins a game as soon as it is stored.
   *
   * @param game as it is to begin
   * @param gameIsFound its first event
   * @param told what is told before it
   * @param with what else is committed with it
   * @param instead what to tell when it could not be stored
   * @param settled hears of it
   */
  void begin(
      GameSession game,
      Event gameIsFound,
      Announcements told,
      Commit with,
      Function<WriteOutcome, List<Outgoing>> instead,
      Consumer<WriteOutcome> settled) {
    GameRef ref = game.ref();
    told.begins(gameIsFound, ref);
    for (Side side : Side.values()) {
      told.colour(game.connects(side), side);
      told.tell(
          ref.player(side), ref.dialect(side).writer().started(ref, side, game.game().startedAt()));
    }
    Supplier<Draft> state = state(ref, game.game());
    told.state(game, state, false);
    List<Row> rows = new ArrayList<>(with.rows());
    rows.addAll(journal.goesOn(ref, null, game.standing()));
    wall.begins(ref);
    awaited.decided(ref, game.game());
    desk.commits()
        .store(
            game.players(),
            new Commit(told.stored(), with.withdrawn(), rows),
            told.outgoing(),
            instead,
            outcome -> {
              if (outcome == WriteOutcome.STORED) {
                game.givesOut(state);
                run(game);
                game.players().forEach(player -> noteAbsence(player, game));
              } else {
                forget(game);
              }
              settled.accept(outcome);
            });
  }

  private void enter(GameSession game) {
    game.players().forEach(player -> games.put(player, game));
    wall.begins(game.ref());
    awaited.settled(game.ref(), game.game());
  }

  private void run(GameSession game) {
    enter(game);
    arm(game);
    watchBoth(game);
  }

  private void forget(GameSession game) {
    for (Side side : Side.values()) {
      games.remove(game.ref().player(side), game);
      desk.deadlines().cancel(graceKey(game, side));
    }
    desk.deadlines().cancel(timeKey(game));
    wall.ends(game.id());
    awaited.ended(game.ref());
  }

  private boolean runs(GameSession game) {
    return games.get(game.ref().white().player()) == game;
  }

  private Supplier<Draft> state(GameRef ref, Playing playing) {
    return once(() -> desk.relay().state(ref, playing));
  }

  /** A draft is made once, and only when it is needed; any thread. */
  private static Supplier<Draft> once(Supplier<Draft> make) {
    return new Supplier<>() {
      private @Nullable Draft made;

      @Override
      public synchronized Draft get() {
        Draft draft = made;
        if (draft == null) {
          draft = make.get();
          made = draft;
        }
        return draft;
      }
    };
  }

  /** Does what a player asks of the game, as far as the referee grants it. */
  void command(Ask ask, Request.InGame request, GameSession game) {
    Playing playing = game.game();
    Side side = game.sideOf(ask.player());
    Optional<Reason> stale = ask.interpreted().state().stale(playing, game::isCurrent);
    if (stale.isPresent()) {
      refuseStale(ask, stale.get(), game, side);
    } else if (ask.arrival() >= playing.deadline()) {
      game.awaitJudgement(ask.submission());
      timeIsUp(game);
    } else {
      unplayable(ask, game, side)
          .ifPresentOrElse(
              reason -> refuse(ask, reason, game),
              () -> decide(ask, request.by(side, playing), game));
    }
  }

  private void refuse(Ask ask, Reason reason, GameSession game) {
    desk.refuse(ask.submission(), ask.dialect(), reason, game.ref());
  }

  /** Shows the game again to a player who has answered an earlier state, if that is followed. */
  private void refuseStale(Ask ask, Reason reason, GameSession game, Side side) {
    Dialect dialect = ask.dialect();
    List<Notice> shown =
        dialect.traits().followsStates()
            ? dialect.writer().shown(game.ref(), game.game(), side, desk.now())
            : List.of();
    Reply reply = dialect.writer().refused(ask.event(), reason, game.ref(), desk.now());
    desk.refuse(ask.submission(), reply, shown);
  }

  /** Why a move is refused before it can be counted. */
  private static Optional<Reason> unplayable(Ask ask, GameSession game, Side side) {
    if (!(ask.request() instanceof Request.Play play)) {
      return Optional.empty();
    } else if (game.game().turn() != side) { // what it means is another's matter
      return Optional.of(Reason.invalid(Referee.NOT_YOUR_TURN.text()));
    }
    Optional<Move> move = play.written().in(game.game().position());
    boolean counted =
        ask.dialect().traits().countsIllegalMoves()
            && game.ref().dialect(side).traits().countsIllegalMoves();
    return move.isPresent() && (counted || game.game().position().play(move.get()).isPresent())
        ? Optional.empty()
        : Optional.of(Reason.invalid("illegal move"));
  }

  private void decide(Ask ask, Command command, GameSession game) {
    Decision decision = Referee.decide(game.game(), command, ask.arrival());
    if (decision instanceof Step step) {
      commit(game, step, ask);
    } else if (decision instanceof Refused refused) {
      refuse(ask, Reason.invalid(refused.text()), game);
    }
  }

  /**
   * Aborts a game that the lobby has found, and in which the player has not moved yet; false when
   * it is not so.
   */
  boolean cancel(Ask ask, GameSession game) {
    Command cancel = new Command.Cancel(game.sideOf(ask.player()));
    if (game.isPaired()
        && Referee.decide(game.game(), cancel, ask.arrival()) instanceof Step step) {
      commit(game, step, ask);
      return true;
    }
    return false;
  }

  /** Lets the step become the game once it is stored. */
  private void commit(GameSession game, Step step, @Nullable Ask ask) {
    Reply reply = ask == null ? null : ask.writer().granted(ask.event(), step.events());
    if (ask != null && reply != null && reply.refusal() == null && !desk.bind(ask)) {
      return;
    }
    Announcements told = desk.announce();
    Event published = null;
    if (ask != null && reply != null) {
      published =
          ask.writer()
              .published(game.ref(), ask.event(), game.game(), step.events(), desk.now())
              .orElse(null);
      told.reply(ask.submission(), reply);
    }
    Standing next = after(game.standing(), step, ask, published);
    Supplier<Draft> state = tellStep(told, game, step, next, ask, published);
    List<Row> rows = new ArrayList<>();
    boolean isStored = ask != null && ask.event().equals(published);
    if (ask != null && reply != null && !isStored) {
      rows.addAll(desk.seen().rows(ask.id(), reply.refusal(), false));
    }
    rows.addAll(
        step.next() instanceof Over
            ? rowsOfEnd(game, told)
            : journal.goesOn(game.ref(), game.standing(), next));
    awaited.decided(game.ref(), next.game());
    Reason refusal = reply == null ? null : reply.refusal();
    desk.commits()
        .store(
            game.players(),
            new Commit(told.stored(), List.of(), rows),
            step.next() instanceof Over ? () -> wall.ends(game.id()) : () -> {},
            told.outgoing(),
            outcome ->
                ask == null ? List.of() : List.of(ask.submission().refused(outcome.reason())),
            outcome -> settle(game, step, next, state, ask, isStored, refusal, outcome, told));
  }

  private void settle(
      GameSession game,
      Step step,
      Standing next,
      @Nullable Supplier<Draft> state,
      @Nullable Ask ask,
      boolean isStored,
      @Nullable Reason refusal,
      WriteOutcome outcome,
      Announcements told) {
    if (outcome != WriteOutcome.STORED) {
      undo(game, step, ask, outcome, told);
      return;
    }
    if (ask != null) {
      remember(ask, isStored, refusal);
    }
    if (step.events().get(0) instanceof GameEvent.Moved) {
      desk.meters().moved();
    }
    if (step.next() instanceof Over over) {
      finish(game, over, ask, told);
    } else {
      game.advance(next);
      if (state != null) {
        game.givesOut(state);
      }
      awaited.settled(game.ref(), next.game());
      arm(game);
    }
  }

  private void remember(Ask ask, boolean isStored, @Nullable Reason refusal) {
    if (refusal != null) {
      desk.seen().counted(ask.id(), refusal);
    } else if (isStored) {
      desk.seen().stored(ask.id());
    } else {
      desk.seen().commanded(ask.id());
    }
  }

  /** The step has not happened; one of the relay's own is tried again. */
  private void undo(
      GameSession game, Step step, @Nullable Ask ask, WriteOutcome outcome, Announcements told) {
    awaited.settled(game.ref(), game.game());
    if (ask != null) {
      desk.unbind(ask);
      return;
    }
    if (outcome == WriteOutcome.FULL && step.next() instanceof Over over) {
      endWithoutRecord(game, over, told);
      return;
    }
    tryAgain(game, outcome);
  }

  /** What the relay itself has decided could not be committed; those who wait for it hear of it. */
  private void tryAgain(GameSession game, WriteOutcome outcome) {
    game.endJudging().forEach(late -> desk.tell(late.refused(outcome.reason())));
    desk.later(timeKey(game), RETRY, () -> ring(game));
    for (Side side : Side.values()) {
      if (game.isGone(side)) {
        long left = Math.max(RETRY.toMillis(), game.graceEnds(side) - desk.now());
        desk.later(graceKey(game, side), Duration.ofMillis(left), () -> abandon(game, side));
      }
    }
  }

  /** A game that the relay itself ends is over also when there is no room for its record. */
  private void endWithoutRecord(GameSession game, Over over, Announcements told) {
    desk.commits()
        .store(
            game.players(),
            new Commit(List.of(), List.of(), rowsOfEnd(game, told)),
            () -> wall.ends(game.id()),
            told.outgoingWithoutStored(),
            outcome -> List.of(),
            outcome -> {
              if (outcome == WriteOutcome.STORED) {
                finish(game, over, null, told);
              } else {
                tryAgain(game, outcome);
              }
            });
  }

  private List<Row> rowsOfEnd(GameSession game, Announcements told) {
    List<Row> rows = new ArrayList<>(journal.ends(game.ref(), game.standing()));
    told.missed().forEach(ending -> rows.add(ending.row()));
    return rows;
  }

  private void finish(GameSession game, Over over, @Nullable Ask cause, Announcements told) {
    forget(game);
    told.missed().forEach(listener::missed);
    desk.meters().ended(over.termination());
    listener.over(game, over, cause);
    game.endJudging().forEach(listener::again);
  }

  private static Standing after(
      Standing before, Step step, @Nullable Ask ask, @Nullable Event published) {
    Playing game = step.next() instanceof Over over ? over.last() : (Playing) step.next();
    PlyEvents plies = before.plies();
    List<String> proposal = game.proposal() == null ? null : before.proposal();
    for (GameEvent event : step.events()) {
      if (event instanceof GameEvent.Moved && published != null) {
        plies = plies.append(published.id());
      } else if (event instanceof GameEvent.TakenBack back) {
        plies = plies.first(plies.size() - back.plies());
      } else if (ask != null
          && (event instanceof GameEvent.DrawOffered || event instanceof GameEvent.TakebackAsked)) {
        proposal = ask.writer().evidence(ask.event());
      }
    }
    return new Standing(game, plies, proposal);
  }

  /** Tells of a step; returns the state of the game that it leads to, if that is a new one. */
  private @Nullable Supplier<Draft> tellStep(
      Announcements told,
      GameSession game,
      Step step,
      Standing next,
      @Nullable Ask ask,
      @Nullable Event published) {
    GameRef ref = game.ref();
    GameEvent first = step.events().get(0);
    if (ask != null && published != null) {
      Side opponent = ref.sideOf(ask.player()).opponent();
      if (first instanceof GameEvent.Moved) {
        told.moved(published, ref.player(opponent), ref.dialect(opponent));
      } else {
        told.publish(published);
      }
    }
    for (GameEvent event : step.events()) {
      if (event instanceof GameEvent.DrawOffered offered) {
        propose(told, ref, offered.by(), Proposal.Kind.DRAW, published != null);
      } else if (event instanceof GameEvent.TakebackAsked asked) {
        propose(told, ref, asked.by(), Proposal.Kind.TAKEBACK, published != null);
      } else if (event instanceof GameEvent.TakenBack) {
        showBoth(told, ref, next.game());
      }
    }
    if (step.next() instanceof Over over) {
      told.state(game, once(() -> desk.relay().state(ref, over)), true);
      tellEnd(told, ref, over, ask);
      if (over.result() != Result.NONE) {
        List<List<String>> evidence = evidence(over, game.standing(), ask);
        told.publish(desk.relay().record(ref, over, next.plies().toHex(), evidence));
      }
      return null;
    }
    if (first instanceof GameEvent.IllegalMove) {
      return null;
    }
    Supplier<Draft> state = state(ref, next.game());
    told.state(game, state, false);
    return state;
  }

  private void propose(
      Announcements told, GameRef ref, Side by, Proposal.Kind kind, boolean published) {
    Side asked = by.opponent();
    told.tell(
        ref.player(asked), ref.dialect(asked).writer().proposed(ref, kind, published, desk.now()));
  }

  private void showBoth(Announcements told, GameRef ref, Playing playing) {
    for (Side side : Side.values()) {
      if (!ref.dialect(side).traits().followsStates()) {
        told.tell(
            ref.player(side), ref.dialect(side).writer().shown(ref, playing, side, desk.now()));
      }
    }
  }

  /** How it ended, to both; a connection that has resigned knows it already. */
  private void tellEnd(Announcements told, GameRef ref, Over over, @Nullable Ask ask) {
    Side first = over.result() == Result.BLACK_WINS ? Side.BLACK : Side.WHITE;
    Set<ClientConnection> know = new LinkedHashSet<>();
    List<Notice> notices = ref.dialect(first).writer().ended(ref, over, first);
    told.tell(ref.player(first), notices);
    Side second = first.opponent();
    List<Notice> others = ref.dialect(second).writer().ended(ref, over, second);
    if (ids(others).equals(ids(notices))) {
      know.addAll(desk.bindings().of(ref.player(first))); // one connection for both players
    }
    if (ask != null && over.termination() == Termination.RESIGNATION) {
      know.add(ask.submission().connection());
    }
    told.tell(ref.player(second), others, know);
    for (Side side : Side.values()) {
      if (!desk.bindings().isPresent(ref.player(side))) {
        Notice notice = ref.dialect(side).writer().missedEnd(ref, over, side);
        long until = desk.now() + WaitingEndings.KEPT.toMillis();
        told.leave(new WaitingEndings.Ending(ref.player(side), ref.id(), notice, until));
      }
    }
  }

  private static List<EventId> ids(List<Notice> notices) {
    return notices.stream().map(notice -> notice.event().id()).toList();
  }

  /** What proves that the players ended it themselves. */
  private static List<List<String>> evidence(Over over, Standing before, @Nullable Ask ask) {
    List<List<String>> evidence = new ArrayList<>();
    Termination how = over.termination();
    if (how == Termination.AGREEMENT && before.proposal() != null) {
      evidence.add(before.proposal());
    }
    if (ask != null
        && (how == Termination.AGREEMENT
            || how == Termination.RESIGNATION
            || how == Termination.THREEFOLD
            || how == Termination.FIFTYMOVES)) {
      evidence.add(ask.writer().evidence(ask.event()));
    }
    return evidence;
  }

  /** A player is there. */
  void comeBack(PubKey player) {
    GameSession game = games.get(player);
    if (game != null) {
      Side side = game.sideOf(player);
      game.comeBack(side);
      desk.deadlines().cancel(graceKey(game, side));
    }
  }

  /** A player's last connection is gone. */
  void leave(PubKey player) {
    GameSession game = games.get(player);
    if (game != null) {
      watch(game, game.sideOf(player), desk.now());
      noteAbsence(player, game);
    }
  }

  private void noteAbsence(PubKey player, GameSession game) {
    if (!desk.bindings().isPresent(player)) {
      listener.isAway(player, game);
    }
  }

  private void watchBoth(GameSession game) {
    long now = desk.now();
    for (Side side : Side.values()) {
      watch(game, side, now);
    }
  }

  /** Gives a player who is gone a period of grace; in correspondence one may always be gone. */
  private void watch(GameSession game, Side side, long now) {
    if (!game.game().control().isCorrespondence()
        && !desk.bindings().isPresent(game.ref().player(side))) {
      Duration grace =
          game.game().control().isUntimed() ? UNTIMED_GRACE : desk.settings().abandonGrace();
      game.leave(side, now + grace.toMillis());
      desk.later(graceKey(game, side), grace, () -> abandon(game, side));
    }
  }

  private void abandon(GameSession game, Side side) {
    if (!runs(game) || !game.isGone(side)) {
      return;
    }
    long left = game.graceEnds(side) - desk.now();
    if (left > 0) { // the alarm goes by another clock
      desk.later(graceKey(game, side), Duration.ofMillis(left), () -> abandon(game, side));
    } else if (isBusy(game)) {
      await(game, () -> abandon(game, side));
    } else {
      Command abandon = new Command.Abandon(firstGone(game, side));
      if (Referee.decide(game.game(), abandon, desk.now()) instanceof Step step) {
        commit(game, step, null);
      }
    }
  }

  /** Of two whose grace ends at once, as after a restart, it is the one to move who is missed. */
  private static Side firstGone(GameSession game, Side side) {
    return game.graceEnds(side) == game.graceEnds(side.opponent()) ? game.game().turn() : side;
  }

  private boolean isBusy(GameSession game) {
    return game.players().stream().anyMatch(desk.inboxes()::isBusy);
  }

  private void await(GameSession game, Runnable task) {
    PubKey busy = game.players().stream().filter(desk.inboxes()::isBusy).findFirst().orElseThrow();
    desk.inboxes().await(busy, task);
  }

  /** Sees to it that an alarm rings at the game's deadline, or before. */
  private void arm(GameSession game) {
    long deadline = game.game().deadline();
    if (deadline < game.alarmAt()) {
      game.alarmAt(deadline);
      long wait = Math.max(0, deadline - desk.now());
      desk.later(timeKey(game), Duration.ofMillis(wait), () -> ring(game));
    }
  }

  private void ring(GameSession game) {
    game.alarmAt(GameSession.NEVER);
    if (!runs(game)) {
      return;
    }
    if (desk.now() < game.game().deadline()) {
      arm(game);
    } else {
      timeIsUp(game);
    }
  }

  /** Somebody's time seems to be up: what has come in before is handled first. */
  private void timeIsUp(GameSession game) {
    if (!game.isJudging()) {
      game.beginJudging();
      afterArrivals.accept(() -> desk.lane().execute(() -> judge(game)));
    }
  }

  private void judge(GameSession game) {
    if (!runs(game)) {
      game.endJudging().forEach(listener::again);
    } else if (isBusy(game)) {
      await(game, () -> judge(game));
    } else if (Referee.decide(game.game(), new Command.TimeUp(), desk.now()) instanceof Step step) {
      commit(game, step, null);
    } else {
      game.endJudging().forEach(listener::again);
      arm(game);
    }
  }

  private record GraceKey(EventId game, Side side) {}

  private record TimeKey(EventId game) {}

  private static Object graceKey(GameSession game, Side side) {
    return new GraceKey(game.id(), side);
  }

  private static Object timeKey(GameSession game) {
    return new TimeKey(game.id());
  }
}
