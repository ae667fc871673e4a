package gambit.chess.session.play;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.DialectTraits.Trait;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Notice;
import gambit.chess.dialect.Reply;
import gambit.chess.dialect.Request;
import gambit.chess.game.Command;
import gambit.chess.game.Decision;
import gambit.chess.game.Over;
import gambit.chess.game.Playing;
import gambit.chess.game.Referee;
import gambit.chess.game.Refused;
import gambit.chess.game.Step;
import gambit.chess.rules.LegalMove;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.chess.session.journal.GameSnapshot;
import gambit.chess.session.journal.Journal;
import gambit.chess.session.journal.MissedEnding;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.ColourAnswers;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.crypto.Draft;
import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  /** Is notified of events in games. */
  public interface Listener {
    /** A request must be handled again, now that it is known whose time was up. */
    void again(PlayerRequest request);

    /** A game is over. */
    void over(GameSession game, Over over, StepCause cause);

    /** A player has no connection in a game that runs. */
    void isAway(PubKey player, GameSession game);

    /** The ending of a game is stored for a player who was away. */
    void missed(MissedEnding ending);
  }

  private final SessionContext context;
  private final Journal journal;
  private final RunningGames running;
  private final GameTimers timers;
  private final GameSteps steps;
  private final StepAnnouncer announcer;
  private final Listener listener;
  private List<GameSession> recovered = new ArrayList<>();

  /**
   * No games yet.
   *
   * @param afterArrivals runs a task when every event that has arrived is on the chess lane
   */
  public Games(
      SessionContext context,
      AwaitedMoves awaited,
      SpectatorsWall wall,
      Consumer<Runnable> afterArrivals,
      Listener listener) {
    this.context = context;
    this.listener = listener;
    this.journal = new Journal(context.dialects());
    this.running = new RunningGames(awaited, wall);
    this.timers =
        new GameTimers(context, running, afterArrivals, this::commitForRelay, listener::again);
    this.announcer = new StepAnnouncer(context);
    this.steps = new GameSteps(context, running, timers, journal, announcer, listener);
  }

  private void commitForRelay(GameSession game, Step step) {
    steps.commit(game, step);
  }

  /** The game that a player plays. Any thread. */
  public @Nullable GameSession of(PubKey player) {
    return running.of(player);
  }

  public int size() {
    return running.size();
  }

  /** Finds the games that ran before a restart; time stands until {@link #resume}. */
  public void recover(Map<String, byte[]> rows) {
    for (Journal.Entry entry : journal.read(rows)) {
      GameSession game =
          new GameSession(
              entry.ref(), entry.snapshot(), new ColourAnswers(), new ColourAnswers(), false);
      Supplier<Draft> state = announcer.state(entry.ref(), game.game());
      game.givesOut(state);
      Announcements told = context.announce();
      told.state(game.ref(), state, false);
      context.commits().tell(told.outgoing());
      running.add(game);
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
    Supplier<Draft> state = announcer.state(ref, game.game());
    told.state(game.ref(), state, false);
    List<Row> rows = new ArrayList<>(with.rows());
    rows.addAll(journal.goesOn(ref, null, game.snapshot()));
    running.wall().begins(ref);
    running.awaited().decided(ref, game.game());
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
                timers.cancel(game);
                running.remove(game);
              }
              settled.accept(outcome);
            });
  }

  private void run(GameSession game) {
    running.add(game);
    timers.start(game);
  }

  /** Carries out a request as far as the referee grants it. */
  public void command(PlayerRequest request, Request.InGame command, GameSession game) {
    Playing playing = game.game();
    Side side = game.sideOf(request.player());
    Optional<Reason> stale = request.interpreted().state().stale(playing, game::isCurrent);
    if (stale.isPresent()) {
      refuseStale(request, stale.get(), game, side);
    } else if (request.arrival() >= playing.deadline()) {
      game.awaitJudgement(request);
      timers.timeIsUp(game);
    } else if (command instanceof Request.Play play) {
      play(request, play, game, side);
    } else {
      decide(request, command.by(side, playing), game);
    }
  }

  /** Decides a move; an illegal one is refused unless it is counted. */
  private void play(PlayerRequest request, Request.Play play, GameSession game, Side side) {
    Playing playing = game.game();
    Position position = playing.position();
    if (playing.turn() != side) { // the notation may depend on the side
      refuse(request, Reason.invalid(Referee.NOT_YOUR_TURN.text()), game);
      return;
    }
    Optional<Move> move = play.written().in(position);
    Optional<LegalMove> legal =
        request
            .received()
            .legalIn(position)
            .or(() -> move.flatMap(it -> LegalMove.of(position, it)));
    boolean counted =
        request.dialect().traits().has(Trait.COUNTS_ILLEGAL_MOVES)
            && game.ref().dialect(side).traits().has(Trait.COUNTS_ILLEGAL_MOVES);
    if (legal.isPresent()) {
      decide(request, new Command.Play(side, legal.get(), play.offersDraw()), game);
    } else if (counted && move.isPresent()) {
      decide(request, new Command.Play(side, move.get(), play.offersDraw()), game);
    } else {
      refuse(request, Reason.invalid("illegal move"), game);
    }
  }

  private void refuse(PlayerRequest request, Reason reason, GameSession game) {
    context.refuse(request.submission(), request.dialect(), reason, game.ref());
  }

  /** Shows the game again to a player who has answered an earlier state, if that is followed. */
  private void refuseStale(PlayerRequest request, Reason reason, GameSession game, Side side) {
    Dialect dialect = request.dialect();
    List<Notice> shown =
        dialect.traits().has(Trait.FOLLOWS_STATES)
            ? List.of(dialect.writer().shown(game.ref(), game.game(), side, context.now()))
            : List.of();
    Reply reply = dialect.writer().refused(request.event(), reason, game.ref(), context.now());
    context.refuse(request.submission(), reply, shown);
  }

  private void decide(PlayerRequest request, Command command, GameSession game) {
    Decision decision = Referee.decide(game.game(), command, request.arrival());
    if (decision instanceof Step step) {
      steps.commit(game, step, request);
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
      steps.commit(game, step, request);
      return true;
    }
    return false;
  }

  /** A player has a connection. */
  public void comeBack(PubKey player) {
    GameSession game = running.of(player);
    if (game != null) {
      timers.comeBack(game, game.sideOf(player));
    }
  }

  /** A player's last connection is gone. */
  public void leave(PubKey player) {
    GameSession game = running.of(player);
    if (game != null) {
      timers.watch(game, game.sideOf(player), context.now());
      noteAbsence(player, game);
    }
  }

  private void noteAbsence(PubKey player, GameSession game) {
    if (!context.bindings().isPresent(player)) {
      listener.isAway(player, game);
    }
  }
}
