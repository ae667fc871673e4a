package gambit.chess.session.play;

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
import gambit.chess.session.journal.EndingRows;
import gambit.chess.session.journal.GameSnapshot;
import gambit.chess.session.journal.Journal;
import gambit.chess.session.journal.MissedEnding;
import gambit.chess.session.journal.PlyEvents;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.ColourAnswers;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.SessionContext;
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
public final class Games {
  /** For how long one may be gone from a game without clocks. */
  private static final Duration UNTIMED_GRACE = Duration.ofDays(1);

  /** After how long the end of a game is tried again that could not be committed. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  /** Hears what becomes of games. */
  public interface Listener {
    /** An event has to be handled once more, now that it is known whose time was up. */
    void again(Submission submission);

    /**
     * A game is over.
     *
     * @param cause the player's event by which it is, or null
     */
    void over(GameSession game, Over over, @Nullable PlayerRequest cause);

    /** A player has no connection in a game that runs. */
    void isAway(PubKey player, GameSession game);

    /** The ending of a game is stored for a player who was away. */
    void missed(MissedEnding ending);
  }

  private final SessionContext context;
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
  public Games(
      SessionContext context,
      AwaitedMoves awaited,
      SpectatorsWall wall,
      Consumer<Runnable> afterArrivals,
      Listener listener) {
    this.context = context;
    this.journal = new Journal(context.dialects());
    this.awaited = awaited;
    this.wall = wall;
    this.afterArrivals = afterArrivals;
    this.listener = listener;
  }

  /** The game that a player plays. Any thread. */
  public @Nullable GameSession of(PubKey player) {
    return games.get(player);
  }

  public int size() {
    return games.size() / 2;
  }

  /** Finds the games that ran before a restart; time stands until {@link #resume}. */
  public void recover(Map<String, byte[]> rows) {
    List<Journal.Entry> entries = journal.read(rows);
    entries.sort(Comparator.comparingLong(entry -> entry.snapshot().game().changedAt()));
    for (Journal.Entry entry : entries) {
      GameSession game =
          new GameSession(
              entry.ref(), entry.snapshot(), new ColourAnswers(), new ColourAnswers(), false);
      Supplier<Draft> state = state(entry.ref(), game.game());
      game.givesOut(state);
      Announcements told = context.announce();
      told.state(game.ref(), state, false);
      context.commits().tell(told.outgoing());
      enter(game);
      recovered.add(game);
    }
  }

  /** Clients can come: clocks and periods of grace of the games from before a restart begin. */
  public void resume() {
    long now = context.now();
    for (GameSession game : recovered) {
      GameSnapshot was = game.snapshot();
      game.advance(new GameSnapshot(was.game().resumed(now), was.plies(), was.proposal()));
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
  public void begin(
      GameSession game,
      Event gameIsFound,
      Announcements told,
      Commit with,
      Function<WriteOutcome, List<Outgoing>> instead,
      Consumer<WriteOutcome> settled) {
    GameRef ref = game.ref();
    told.begins(gameIsFound, ref);
    for (Side side : Side.values()) {
      told.colour(game.colourAnswers(side), side);
      told.tell(
          ref.player(side), ref.dialect(side).writer().started(ref, side, game.game().startedAt()));
    }
    Supplier<Draft> state = state(ref, game.game());
    told.state(game.ref(), state, false);
    List<Row> rows = new ArrayList<>(with.rows());
    rows.addAll(journal.goesOn(ref, null, game.snapshot()));
    wall.begins(ref);
    awaited.decided(ref, game.game());
    context
        .commits()
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
      context.timers().cancel(graceKey(game, side));
    }
    context.timers().cancel(timeKey(game));
    wall.ends(game.id());
    awaited.ended(game.ref());
  }

  private boolean runs(GameSession game) {
    return games.get(game.ref().white().player()) == game;
  }

  private Supplier<Draft> state(GameRef ref, Playing playing) {
    return once(() -> context.relay().state(ref, playing));
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
  public void command(PlayerRequest request, Request.InGame wanted, GameSession game) {
    Playing playing = game.game();
    Side side = game.sideOf(request.player());
    Optional<Reason> stale = request.interpreted().state().stale(playing, game::isCurrent);
    if (stale.isPresent()) {
      refuseStale(request, stale.get(), game, side);
    } else if (request.arrival() >= playing.deadline()) {
      game.awaitJudgement(request.submission());
      timeIsUp(game);
    } else {
      unplayable(request, game, side)
          .ifPresentOrElse(
              reason -> refuse(request, reason, game),
              () -> decide(request, wanted.by(side, playing), game));
    }
  }

  private void refuse(PlayerRequest request, Reason reason, GameSession game) {
    context.refuse(request.submission(), request.dialect(), reason, game.ref());
  }

  /** Shows the game again to a player who has answered an earlier state, if that is followed. */
  private void refuseStale(PlayerRequest request, Reason reason, GameSession game, Side side) {
    Dialect dialect = request.dialect();
    List<Notice> shown =
        dialect.traits().followsStates()
            ? dialect.writer().shown(game.ref(), game.game(), side, context.now())
            : List.of();
    Reply reply = dialect.writer().refused(request.event(), reason, game.ref(), context.now());
    context.refuse(request.submission(), reply, shown);
  }

  /** Why a move is refused before it can be counted. */
  private static Optional<Reason> unplayable(PlayerRequest request, GameSession game, Side side) {
    if (!(request.request() instanceof Request.Play play)) {
      return Optional.empty();
    } else if (game.game().turn() != side) { // what it means is another's matter
      return Optional.of(Reason.invalid(Referee.NOT_YOUR_TURN.text()));
    }
    Optional<Move> move = play.written().in(game.game().position());
    boolean counted =
        request.dialect().traits().countsIllegalMoves()
            && game.ref().dialect(side).traits().countsIllegalMoves();
    return move.isPresent() && (counted || game.game().position().play(move.get()).isPresent())
        ? Optional.empty()
        : Optional.of(Reason.invalid("illegal move"));
  }

  private void decide(PlayerRequest request, Command command, GameSession game) {
    Decision decision = Referee.decide(game.game(), command, request.arrival());
    if (decision instanceof Step step) {
      commit(game, step, request);
    } else if (decision instanceof Refused refused) {
      refuse(request, Reason.invalid(refused.text()), game);
    }
  }

  /**
   * Aborts a game that the lobby has found, and in which the player has not moved yet; false when
   * it is not so.
   */
  public boolean cancel(PlayerRequest request, GameSession game) {
    Command cancel = new Command.Cancel(game.sideOf(request.player()));
    if (game.isPaired()
        && Referee.decide(game.game(), cancel, request.arrival()) instanceof Step step) {
      commit(game, step, request);
      return true;
    }
    return false;
  }

  /** Lets the step become the game once it is stored. */
  private void commit(GameSession game, Step step, @Nullable PlayerRequest request) {
    Reply reply = request == null ? null : request.writer().granted(request.event(), step.events());
    if (request != null && reply != null && reply.refusal() == null && !context.bind(request)) {
      return;
    }
    Announcements told = context.announce();
    Event published = null;
    if (request != null && reply != null) {
      published =
          request
              .writer()
              .published(game.ref(), request.event(), game.game(), step.events(), context.now())
              .orElse(null);
      told.reply(request.submission(), reply);
    }
    GameSnapshot next = after(game.snapshot(), step, request, published);
    Supplier<Draft> state = tellStep(told, game, step, next, request, published);
    List<Row> rows = new ArrayList<>();
    boolean isStored = request != null && request.event().equals(published);
    if (request != null && reply != null && !isStored) {
      rows.addAll(context.seen().rows(request.id(), reply.refusal(), false));
    }
    rows.addAll(
        step.next() instanceof Over
            ? rowsOfEnd(game, told)
            : journal.goesOn(game.ref(), game.snapshot(), next));
    awaited.decided(game.ref(), next.game());
    Reason refusal = reply == null ? null : reply.refusal();
    context
        .commits()
        .store(
            game.players(),
            new Commit(told.stored(), List.of(), rows),
            step.next() instanceof Over ? () -> wall.ends(game.id()) : () -> {},
            told.outgoing(),
            outcome ->
                request == null
                    ? List.of()
                    : List.of(request.submission().refused(outcome.reason())),
            outcome -> settle(game, step, next, state, request, isStored, refusal, outcome, told));
  }

  private void settle(
      GameSession game,
      Step step,
      GameSnapshot next,
      @Nullable Supplier<Draft> state,
      @Nullable PlayerRequest request,
      boolean isStored,
      @Nullable Reason refusal,
      WriteOutcome outcome,
      Announcements told) {
    if (outcome != WriteOutcome.STORED) {
      undo(game, step, request, outcome, told);
      return;
    }
    if (request != null) {
      remember(request, isStored, refusal);
    }
    if (step.events().get(0) instanceof GameEvent.Moved) {
      context.meters().moved();
    }
    if (step.next() instanceof Over over) {
      finish(game, over, request, told);
    } else {
      game.advance(next);
      if (state != null) {
        game.givesOut(state);
      }
      awaited.settled(game.ref(), next.game());
      arm(game);
    }
  }

  private void remember(PlayerRequest request, boolean isStored, @Nullable Reason refusal) {
    if (refusal != null) {
      context.seen().counted(request.id(), refusal);
    } else if (isStored) {
      context.seen().stored(request.id());
    } else {
      context.seen().commanded(request.id());
    }
  }

  /** The step has not happened; one of the relay's own is tried again. */
  private void undo(
      GameSession game,
      Step step,
      @Nullable PlayerRequest request,
      WriteOutcome outcome,
      Announcements told) {
    awaited.settled(game.ref(), game.game());
    if (request != null) {
      context.unbind(request);
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
    game.endJudging().forEach(late -> context.tell(late.refused(outcome.reason())));
    context.timers().schedule(timeKey(game), RETRY, () -> ring(game));
    for (Side side : Side.values()) {
      if (game.isGone(side)) {
        long left = Math.max(RETRY.toMillis(), game.graceEnds(side) - context.now());
        context
            .timers()
            .schedule(graceKey(game, side), Duration.ofMillis(left), () -> abandon(game, side));
      }
    }
  }

  /** A game that the relay itself ends is over also when there is no room for its record. */
  private void endWithoutRecord(GameSession game, Over over, Announcements told) {
    context
        .commits()
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
    List<Row> rows = new ArrayList<>(journal.ends(game.ref(), game.snapshot()));
    told.missed().forEach(ending -> rows.add(EndingRows.row(ending)));
    return rows;
  }

  private void finish(
      GameSession game, Over over, @Nullable PlayerRequest cause, Announcements told) {
    forget(game);
    told.missed().forEach(listener::missed);
    context.meters().ended(over.termination());
    listener.over(game, over, cause);
    game.endJudging().forEach(listener::again);
  }

  private static GameSnapshot after(
      GameSnapshot before, Step step, @Nullable PlayerRequest request, @Nullable Event published) {
    Playing game = step.next() instanceof Over over ? over.last() : (Playing) step.next();
    PlyEvents plies = before.plies();
    List<String> proposal = game.proposal() == null ? null : before.proposal();
    for (GameEvent event : step.events()) {
      if (event instanceof GameEvent.Moved && published != null) {
        plies = plies.append(published.id());
      } else if (event instanceof GameEvent.TakenBack back) {
        plies = plies.first(plies.size() - back.plies());
      } else if (request != null
          && (event instanceof GameEvent.DrawOffered || event instanceof GameEvent.TakebackAsked)) {
        proposal = request.writer().evidence(request.event());
      }
    }
    return new GameSnapshot(game, plies, proposal);
  }

  /** Tells of a step; returns the state of the game that it leads to, if that is a new one. */
  private @Nullable Supplier<Draft> tellStep(
      Announcements told,
      GameSession game,
      Step step,
      GameSnapshot next,
      @Nullable PlayerRequest request,
      @Nullable Event published) {
    GameRef ref = game.ref();
    GameEvent first = step.events().get(0);
    if (request != null && published != null) {
      Side opponent = ref.sideOf(request.player()).opponent();
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
      told.state(game.ref(), once(() -> context.relay().state(ref, over)), true);
      tellEnd(told, ref, over, request);
      if (over.result() != Result.NONE) {
        List<List<String>> evidence = evidence(over, game.snapshot(), request);
        told.publish(context.relay().record(ref, over, next.plies().toHex(), evidence));
      }
      return null;
    }
    if (first instanceof GameEvent.IllegalMove) {
      return null;
    }
    Supplier<Draft> state = state(ref, next.game());
    told.state(game.ref(), state, false);
    return state;
  }

  private void propose(
      Announcements told, GameRef ref, Side by, Proposal.Kind kind, boolean published) {
    Side asked = by.opponent();
    told.tell(
        ref.player(asked),
        ref.dialect(asked).writer().proposed(ref, kind, published, context.now()));
  }

  private void showBoth(Announcements told, GameRef ref, Playing playing) {
    for (Side side : Side.values()) {
      if (!ref.dialect(side).traits().followsStates()) {
        told.tell(
            ref.player(side), ref.dialect(side).writer().shown(ref, playing, side, context.now()));
      }
    }
  }

  /** How it ended, to both; a connection that has resigned knows it already. */
  private void tellEnd(
      Announcements told, GameRef ref, Over over, @Nullable PlayerRequest request) {
    Side first = over.result() == Result.BLACK_WINS ? Side.BLACK : Side.WHITE;
    Set<ClientConnection> know = new LinkedHashSet<>();
    List<Notice> notices = ref.dialect(first).writer().ended(ref, over, first);
    told.tell(ref.player(first), notices);
    Side second = first.opponent();
    List<Notice> others = ref.dialect(second).writer().ended(ref, over, second);
    if (ids(others).equals(ids(notices))) {
      know.addAll(context.bindings().of(ref.player(first))); // one connection for both players
    }
    if (request != null && over.termination() == Termination.RESIGNATION) {
      know.add(request.submission().connection());
    }
    told.tell(ref.player(second), others, know);
    for (Side side : Side.values()) {
      if (!context.bindings().isPresent(ref.player(side))) {
        Notice notice = ref.dialect(side).writer().missedEnd(ref, over, side);
        long until = context.now() + WaitingEndings.KEPT.toMillis();
        told.leave(new MissedEnding(ref.player(side), ref.id(), notice, until));
      }
    }
  }

  private static List<EventId> ids(List<Notice> notices) {
    return notices.stream().map(notice -> notice.event().id()).toList();
  }

  /** What proves that the players ended it themselves. */
  private static List<List<String>> evidence(
      Over over, GameSnapshot before, @Nullable PlayerRequest request) {
    List<List<String>> evidence = new ArrayList<>();
    Termination how = over.termination();
    if (how == Termination.AGREEMENT && before.proposal() != null) {
      evidence.add(before.proposal());
    }
    if (request != null
        && (how == Termination.AGREEMENT
            || how == Termination.RESIGNATION
            || how == Termination.THREEFOLD
            || how == Termination.FIFTYMOVES)) {
      evidence.add(request.writer().evidence(request.event()));
    }
    return evidence;
  }

  /** A player is there. */
  public void comeBack(PubKey player) {
    GameSession game = games.get(player);
    if (game != null) {
      Side side = game.sideOf(player);
      game.comeBack(side);
      context.timers().cancel(graceKey(game, side));
    }
  }

  /** A player's last connection is gone. */
  public void leave(PubKey player) {
    GameSession game = games.get(player);
    if (game != null) {
      watch(game, game.sideOf(player), context.now());
      noteAbsence(player, game);
    }
  }

  private void noteAbsence(PubKey player, GameSession game) {
    if (!context.bindings().isPresent(player)) {
      listener.isAway(player, game);
    }
  }

  private void watchBoth(GameSession game) {
    long now = context.now();
    for (Side side : Side.values()) {
      watch(game, side, now);
    }
  }

  /** Gives a player who is gone a period of grace; in correspondence one may always be gone. */
  private void watch(GameSession game, Side side, long now) {
    if (!game.game().control().isCorrespondence()
        && !context.bindings().isPresent(game.ref().player(side))) {
      Duration grace =
          game.game().control().isUntimed() ? UNTIMED_GRACE : context.settings().abandonGrace();
      game.leave(side, now + grace.toMillis());
      context.timers().schedule(graceKey(game, side), grace, () -> abandon(game, side));
    }
  }

  private void abandon(GameSession game, Side side) {
    if (!runs(game) || !game.isGone(side)) {
      return;
    }
    long left = game.graceEnds(side) - context.now();
    if (left > 0) { // the alarm goes by another clock
      context
          .timers()
          .schedule(graceKey(game, side), Duration.ofMillis(left), () -> abandon(game, side));
    } else if (isBusy(game)) {
      await(game, () -> abandon(game, side));
    } else {
      Command abandon = new Command.Abandon(firstGone(game, side));
      if (Referee.decide(game.game(), abandon, context.now()) instanceof Step step) {
        commit(game, step, null);
      }
    }
  }

  /** Of two whose grace ends at once, as after a restart, it is the one to move who is missed. */
  private static Side firstGone(GameSession game, Side side) {
    return game.graceEnds(side) == game.graceEnds(side.opponent()) ? game.game().turn() : side;
  }

  private boolean isBusy(GameSession game) {
    return game.players().stream().anyMatch(context.inboxes()::isBusy);
  }

  private void await(GameSession game, Runnable task) {
    PubKey busy =
        game.players().stream().filter(context.inboxes()::isBusy).findFirst().orElseThrow();
    context.inboxes().await(busy, task);
  }

  /** Sees to it that an alarm rings at the game's deadline, or before. */
  private void arm(GameSession game) {
    long deadline = game.game().deadline();
    if (deadline < game.alarmAt()) {
      game.alarmAt(deadline);
      long wait = Math.max(0, deadline - context.now());
      context.timers().schedule(timeKey(game), Duration.ofMillis(wait), () -> ring(game));
    }
  }

  private void ring(GameSession game) {
    game.alarmAt(GameSession.NEVER);
    if (!runs(game)) {
      return;
    }
    if (context.now() < game.game().deadline()) {
      arm(game);
    } else {
      timeIsUp(game);
    }
  }

  /** Somebody's time seems to be up: what has come in before is handled first. */
  private void timeIsUp(GameSession game) {
    if (!game.isJudging()) {
      game.beginJudging();
      afterArrivals.accept(() -> context.timers().lane().execute(() -> judge(game)));
    }
  }

  private void judge(GameSession game) {
    if (!runs(game)) {
      game.endJudging().forEach(listener::again);
    } else if (isBusy(game)) {
      await(game, () -> judge(game));
    } else if (Referee.decide(game.game(), new Command.TimeUp(), context.now())
        instanceof Step step) {
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
