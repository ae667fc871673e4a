package gambit.chess.session.play;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.Dialect.Trait;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Notification;
import gambit.chess.dialect.RatedStart;
import gambit.chess.dialect.Reply;
import gambit.chess.dialect.Request;
import gambit.chess.game.Command;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Referee;
import gambit.chess.game.Ruling;
import gambit.chess.game.Ruling.Refusal;
import gambit.chess.game.Ruling.Step;
import gambit.chess.game.TimeControl;
import gambit.chess.rating.Category;
import gambit.chess.rating.Lot;
import gambit.chess.rules.LegalMove;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.crypto.LazilySignedEvent;
import gambit.core.feature.Outgoing;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The running games. The {@link Referee} decides a step of a game, and {@link GameSteps} commits it
 * together with the game's new state. Owned by the chess lane, except for {@link #of} and {@link
 * #size}.
 */
public final class Games {
  public interface Listener {
    void retry(PlayerRequest request);

    /** A game has ended, perhaps by a player who has cancelled the search that had led to it. */
    void gameEnded(GameSession game, FinishedGame over, Optional<PubKey> leaver);
  }

  /** The attempts to begin a game while the commits of others fail, whose lots come before. */
  private static final int MAX_ATTEMPTS = 10;

  private static final Request TAKEBACK = new Request.Plain(Command.Type.TAKEBACK);
  private static final Reason NO_TAKEBACKS = Reason.invalid("no takebacks in rated games");

  private final SessionContext context;
  private final Lots lots;
  private final Reminders reminders;
  private final GameRows gameRows;
  private final RunningGames running;
  private final GameSteps steps;
  private final GameTimers timers;
  private List<GameSession> recovered = new ArrayList<>();

  public Games(
      SessionContext context,
      RunningGames running,
      ReturningPlayers returning,
      Ratings ratings,
      Lots lots,
      Reminders reminders,
      Listener listener) {
    this.context = context;
    this.lots = lots;
    this.reminders = reminders;
    this.gameRows = new GameRows(context.dialects());
    this.running = running;
    this.steps = new GameSteps(context, running, gameRows, returning, ratings, reminders, listener);
    this.timers = steps.timers();
  }

  /** The running games of a player, the oldest first. Immutable. Any thread. */
  public List<GameSession> of(PubKey player) {
    return running.of(player);
  }

  /** As {@link #of}, without slow games. */
  public List<GameSession> liveOf(PubKey player) {
    return of(player).stream().filter(game -> !game.ref().isSlow()).toList();
  }

  public void prepareDraw() {
    lots.prepare();
  }

  public int size() {
    return running.size();
  }

  public int players() {
    return running.playerCount();
  }

  public GameTimers timers() {
    return timers;
  }

  /** Restores the games that ran before a restart; clocks are stopped until {@link #resume}. */
  public void recover(Map<String, byte[]> rows, Map<String, byte[]> reminderRows) {
    for (GameRows.StoredGame stored : gameRows.read(rows)) {
      GameSession game =
          new GameSession(
              stored.ref(),
              stored.snapshot(),
              new ColourNotifications(),
              new ColourNotifications(),
              stored.searches());
      Supplier<LazilySignedEvent> state = steps.state(stored.ref(), game.game(), null);
      game.addPublishedState(state);
      Announcements announcements = context.announce();
      announcements.publishState(game.ref(), state, false);
      context.commits().send(announcements.outgoing());
      running.add(game);
      recovered.add(game);
      reminders.recover(game, reminderRows);
    }
  }

  /** Starts the clocks and grace periods of restored games, when clients can connect. */
  public void resume() {
    long now = context.now();
    for (GameSession game : recovered) {
      game.resumeClocks(now);
      run(game);
    }
    recovered = List.of();
  }

  /** Treats a time in which players were refused as a restart, for the clocks of all games. */
  public void resumeAfterStall() {
    running.all().forEach(this::resumeAfterStall);
  }

  /** A step under way is decided first: it has waited, too. */
  private void resumeAfterStall(GameSession game) {
    boolean waits = context.busyPlayers().awaitIfBusy(game.players(), () -> resumeAfterStall(game));
    if (!waits && running.contains(game)) {
      game.resumeClocks(context.now());
      timers.start(game);
      running.presences().changed(game);
    }
  }

  /**
   * A player of a new game, and the events to be answered with the colour.
   *
   * @param event by which the player comes to the game: a search, an invite, its acceptance
   */
  public record Entrant(
      PubKey player, EventId event, ColourNotifications colourNotifications, int level) {}

  /**
   * A game that is about to begin.
   *
   * @param sideOfFirst null if the colours are drawn by lot
   * @param isRated whether it is rated; the time control must have a category
   * @param isPaired whether two searches were paired, rather than an invite accepted
   */
  public record NewGame(
      Entrant first,
      Entrant second,
      @Nullable Side sideOfFirst,
      TimeControl time,
      Position initial,
      boolean isRated,
      boolean isPaired) {}

  /** A pairing or an accepted invite by which a game begins. Called on the chess lane. */
  public interface Beginning {
    /** Adds the announcements before those of a game that is about to begin. */
    default void announce(GameSession game, Announcements announcements) {}

    /** The output if it cannot be committed; on the writer's thread. */
    default List<Outgoing> instead(WriteOutcome outcome) {
      return List.of();
    }

    /** A game that was announced is not to begin; it is announced anew with another id. */
    default void replaced(GameSession game) {}

    void settled(GameSession game, WriteOutcome outcome);
  }

  /** A game of which nobody knows yet, the event that will announce it, and its lot. */
  private record CreatedGame(Event gameIsFound, GameSession session, Lots.@Nullable Draw draw) {}

  /** Draws the sides of a new game and signs its start. */
  private CreatedGame create(NewGame begun) {
    Lots.Draw draw =
        begun.sideOfFirst() == null
            ? lots.draw(begun.first().event(), begun.second().event())
            : null;
    boolean isFirstWhite = (draw == null ? begun.sideOfFirst() : draw.sideOfFirst) == Side.WHITE;
    Entrant white = isFirstWhite ? begun.first() : begun.second();
    Entrant black = isFirstWhite ? begun.second() : begun.first();
    long now = context.now();
    GameRef.Seat whites = seat(white);
    GameRef.Seat blacks = seat(black);
    RatedStart rated = begun.isRated() ? ratedStart(begun.time(), whites, blacks) : null;
    Lot lot = draw == null ? null : draw.lot;
    Event gameIsFound =
        context.relay().gameIsFound(whites, blacks, begun.time(), begun.initial(), lot, rated, now);
    GameRef ref = new GameRef(gameIsFound.id(), whites, blacks, begun.time().isSlow(), rated);
    OngoingGame start =
        OngoingGame.start(
            begun.initial(),
            begun.time(),
            context.settings().firstMoveLimit().toMillis(),
            context.settings().lagAllowance().toMillis(),
            now);
    GameSession game =
        new GameSession(
            ref,
            new GameSnapshot(start, List.of(), null),
            white.colourNotifications(),
            black.colourNotifications(),
            begun.isPaired() ? List.of(white.event(), black.event()) : List.of());
    return new CreatedGame(gameIsFound, game, draw);
  }

  private RatedStart ratedStart(TimeControl time, GameRef.Seat white, GameRef.Seat black) {
    Category category = Category.of(time).orElseThrow();
    return new RatedStart(
        category,
        context.strength(white.player(), category),
        context.strength(black.player(), category));
  }

  public void begin(NewGame begun, Beginning beginning) {
    begin(begun, beginning, 1);
  }

  private void begin(NewGame begun, Beginning beginning, int attempt) {
    CreatedGame created = create(begun);
    Lots.Draw draw = created.draw();
    GameSession game = created.session();
    GameRef ref = game.ref();
    OngoingGame start = game.game();
    Announcements announcements = context.announce();
    beginning.announce(game, announcements);
    if (draw != null) {
      draw.addTo(announcements);
    }
    announcements.publishStart(created.gameIsFound(), ref);
    for (Side side : Side.values()) {
      announcements.addAll(game.colourNotifications(side).oks(side));
      announcements.notifyPlayer(
          ref.player(side), ref.dialect(side).started(ref, side, context.now()));
    }
    Supplier<LazilySignedEvent> state = steps.state(ref, start, null);
    announcements.publishState(ref, state, false);
    running.presences().announce(game, announcements);
    announcements.addRows(gameRows.rowsOfStart(ref, game.snapshot(), game.searches(), 0));
    reminders.turnPasses(ref, start).ifPresent(announcements::addRow);
    running.known().gameStarted(ref); // before its players learn of it
    running.known().awaited().gameDecided(ref, start);
    context.commit(
        game.players(),
        announcements,
        outcome ->
            isTriedAgain(draw, outcome, attempt)
                ? List.of()
                : beginning.instead(reported(draw, outcome)),
        outcome -> {
          if (outcome == WriteOutcome.STORED) {
            game.addPublishedState(state);
            run(game);
            reminders.turnPassed(game);
            game.players().forEach(player -> timers.requestLoginsIfAbsent(player, game));
          } else {
            timers.cancel(game);
            running.remove(game);
            reminders.gameEnded(game);
            if (draw != null) {
              draw.failed();
            }
            if (isTriedAgain(draw, outcome, attempt)) {
              beginning.replaced(game);
              begin(begun, beginning, attempt + 1);
              return;
            }
          }
          beginning.settled(game, reported(draw, outcome));
        });
  }

  private static boolean isTriedAgain(Lots.@Nullable Draw draw, WriteOutcome outcome, int attempt) {
    return draw != null && draw.isStale(outcome) && attempt < MAX_ATTEMPTS;
  }

  /** The outcome for players: that of the lot's row is none of their business. */
  private static WriteOutcome reported(Lots.@Nullable Draw draw, WriteOutcome outcome) {
    return draw != null && draw.isStale(outcome) ? WriteOutcome.FAILED : outcome;
  }

  private GameRef.Seat seat(Entrant entrant) {
    Dialect spoken = context.bindings().dialectOf(entrant.player());
    Dialect dialect = spoken == null ? context.dialects().get(0) : spoken;
    return new GameRef.Seat(entrant.player(), dialect, entrant.level());
  }

  private void run(GameSession game) {
    running.add(game);
    timers.start(game);
    running.presences().gameStarted(game);
  }

  public void command(PlayerRequest request, Request.InGame command, GameSession game) {
    OngoingGame playing = game.game();
    Side side = game.sideOf(request.player());
    Optional<Reason> stale = request.interpreted().state().objection(playing, game::isCurrent);
    if (stale.isPresent()) {
      refuseStale(request, stale.get(), game, side);
    } else if (request.arrival() >= playing.deadline()) {
      game.awaitTimeoutDecision(request);
      timers.checkTimeout(game);
    } else if (command instanceof Request.Play play) {
      play(request, play, game, side);
    } else if (game.ref().rated() != null && TAKEBACK.equals(command)) {
      refuse(request, NO_TAKEBACKS, game);
    } else {
      decide(request, command.by(side, playing), game);
    }
  }

  /** Decides a move. An illegal one is refused here if the dialect does not count it. */
  private void play(PlayerRequest request, Request.Play play, GameSession game, Side side) {
    OngoingGame playing = game.game();
    Position position = playing.position();
    if (playing.turn() != side) { // a notation may depend on the side to move
      refuse(request, Reason.invalid(Referee.NOT_YOUR_TURN.text()), game);
      return;
    }
    Optional<LegalMove> known = request.legalIn(position);
    if (known.isPresent()) {
      decide(request, new Command.Play(side, known.get(), play.offersDraw()), game);
      return;
    }
    Optional<Move> move = play.written().in(position);
    Optional<LegalMove> legal = move.flatMap(it -> LegalMove.of(position, it));
    boolean counted =
        request.dialect().has(Trait.COUNTS_ILLEGAL_MOVES)
            && game.ref().dialect(side).has(Trait.COUNTS_ILLEGAL_MOVES);
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

  /** Refuses a request for another state; sends the current one in dialects that follow states. */
  private void refuseStale(PlayerRequest request, Reason reason, GameSession game, Side side) {
    Dialect dialect = request.dialect();
    List<Notification> shown =
        dialect.has(Trait.FOLLOWS_STATES)
            ? List.of(dialect.shown(game.ref(), game.game(), side, context.now()))
            : List.of();
    Reply reply = dialect.refused(request.event(), reason, game.ref(), context.now());
    context.refuse(request.submission(), reply, shown);
  }

  private void decide(PlayerRequest request, Command command, GameSession game) {
    Ruling decision = Referee.decide(game.game(), command, request.arrival());
    if (decision instanceof Step step) {
      steps.commit(game, step, request);
    } else {
      refuse(request, Reason.invalid(((Refusal) decision).text()), game);
    }
  }

  /** Aborts a game of two searches before the player's first move; false for any other game. */
  public boolean cancel(PlayerRequest request, GameSession game) {
    Command cancel = new Command.Cancel(game.sideOf(request.player()));
    if (!game.searches().isEmpty()
        && Referee.decide(game.game(), cancel, request.arrival()) instanceof Step step) {
      steps.commit(game, step, request);
      return true;
    }
    return false;
  }
}
