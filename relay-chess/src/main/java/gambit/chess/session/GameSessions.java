package gambit.chess.session;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Nip100;
import gambit.chess.dialect.RelayEvents;
import gambit.chess.dialect.Request;
import gambit.chess.game.Command;
import gambit.chess.game.Decision;
import gambit.chess.game.GameEvent;
import gambit.chess.game.Over;
import gambit.chess.game.Playing;
import gambit.chess.game.Referee;
import gambit.chess.game.Refused;
import gambit.chess.game.Step;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Rules;
import gambit.chess.rules.Side;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Publisher;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.lane.Deadlines;
import gambit.core.lane.Lane;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The in-relay session manager: it pairs those who search, runs their games, and answers every
 * chess event. All of it belongs to the chess lane; only {@link #submit} and {@link #closed} may be
 * called from elsewhere.
 *
 * <p>A step of a game is decided by the {@link Referee}, committed by the writer, and only then
 * becomes the game and is told; if it cannot be committed, it has not happened.
 */
final class GameSessions {
  /** For how long two players are kept apart after one of them left a fresh pairing. */
  private static final Duration APART = Duration.ofSeconds(10);

  private static final Reason BUSY = Reason.rateLimited("too many chess events, try again");

  private static final Reason UNBOUND = Reason.restricted("send connect first");

  /** A player's event that has led to a step of a game. */
  private record Cause(Submission submission, Request request) {
    EventId id() {
      return submission.event().id();
    }
  }

  private final Lane lane;
  private final Publisher publisher;
  private final RelayEvents relay;
  private final InstantSource time;
  private final Deadlines deadlines;
  private final RandomGenerator lots;
  private final ChessSettings settings;
  private final Admission admission;
  private final SeenEvents seen;
  private final ChessMeters meters;
  private final Bindings bindings = new Bindings();
  private final Searches searches = new Searches();
  private final Map<PubKey, GameSession> games = new HashMap<>();

  GameSessions(RelayBuilder builder, ChessSettings settings, Lane lane, RandomGenerator lots) {
    this.lane = lane;
    this.publisher = builder.publisher();
    this.relay = new RelayEvents(builder.signer(), builder.urls().main());
    this.time = builder.time();
    this.deadlines = builder.deadlines();
    this.lots = lots;
    this.settings = settings;
    this.admission = new Admission(settings.maxClockSkew(), builder.urls());
    this.seen = new SeenEvents(settings.maxClockSkew(), builder.time());
    this.meters = new ChessMeters(builder.meters());
  }

  /** Takes over an event; answers at once when too much waits. Any thread. */
  void submit(Submission submission) {
    if (!lane.submit(counted(() -> handle(submission)))) {
      tell(submission.refused(BUSY));
    }
  }

  /** A connection has ended. Any thread. */
  void closed(ClientConnection connection) {
    onLane(() -> forget(connection));
  }

  /** The continuation of something that was admitted already. */
  private void onLane(Runnable task) {
    lane.put(counted(task));
  }

  private Runnable counted(Runnable task) {
    return () -> {
      task.run();
      meters.now(searches.size(), games.size() / 2);
    };
  }

  private void handle(Submission submission) {
    PubKey player = submission.event().pubkey();
    GameSession game = games.get(player);
    if (game != null && game.isCommitting()) {
      game.await(() -> handle(submission));
      return;
    }
    Optional<Request> request = Nip100.read(submission.event());
    boolean bound = bindings.isBound(player, submission.connection());
    boolean attempt = bound && (game != null || searches.contains(player));
    if (request.isEmpty() && !attempt) {
      submission.pass();
    } else {
      rule(submission, request, bound, game);
    }
  }

  private void rule(
      Submission submission, Optional<Request> request, boolean bound, @Nullable GameSession game) {
    Event event = submission.event();
    Optional<SeenEvents.Ruling> earlier = seen.of(event.id());
    if (earlier.isPresent()) {
      tell(again(submission, earlier.get()));
    } else if (!bound && event.kind() != Nip100.LOBBY) {
      tell(submission.refused(UNBOUND)); // forgotten: else a stranger could spoil the event
    } else {
      admission
          .objection(submission, game == null ? null : game.ref().id())
          .or(() -> Nip100.notOffered(event, game != null))
          .or(() -> request.isEmpty() ? Optional.of(malformed(event)) : Optional.empty())
          .ifPresentOrElse(
              reason -> refuse(submission, reason), () -> act(submission, request.get(), game));
    }
  }

  private static Reason malformed(Event event) {
    return Reason.invalid(Nip100.malformed(event));
  }

  /** The answer to an event that was ruled on before: no second effect. */
  private Outgoing again(Submission submission, SeenEvents.Ruling ruling) {
    if (ruling.refusal().isPresent()) {
      return submission.refused(ruling.refusal().get());
    }
    Connects search = ruling.search();
    return search == null || isStillOn(submission.event().pubkey(), search)
        ? submission.accepted(Reason.duplicate("already handled").toString())
        : submission.refused(Reason.invalid("already used, sign a new event"));
  }

  private boolean isStillOn(PubKey player, Connects search) {
    GameSession game = games.get(player);
    return searches.isCurrent(player, search)
        || (game != null && game.connects(game.sideOf(player)) == search);
  }

  private void act(Submission submission, Request request, @Nullable GameSession game) {
    if (submission.event().kind() == Nip100.LOBBY && seen.isFull()) {
      tell(submission.refused(BUSY));
    } else if (request instanceof Request.Connect) {
      connect(submission, game);
    } else if (request instanceof Request.CancelSearch) {
      cancelSearch(new Cause(submission, request), game);
    } else if (request instanceof Request.InGame inGame) {
      if (game == null) {
        refuse(submission, Reason.invalid("no game in progress"));
      } else {
        command(new Cause(submission, request), inGame, game);
      }
    } else if (request instanceof Request.Unsupported unsupported) {
      refuse(submission, Reason.unsupported(unsupported.word() + " is not offered here"));
    }
  }

  private void connect(Submission submission, @Nullable GameSession game) {
    EventId id = submission.event().id();
    PubKey player = submission.event().pubkey();
    ClientConnection connection = submission.connection();
    if (!bind(submission)) {
      return;
    }
    if (game != null) {
      Side side = game.sideOf(player);
      game.connects(side).add(connection, id);
      seen.accepted(id, game.connects(side));
      Event resume = relay.resume(game.ref(), game.game(), time.millis());
      tell(submission.accepted(""));
      tell(Announcements.whisper(resume, Set.of(connection), Nip100.LOBBY));
      tell(new Outgoing.LateOk(connection, new Ok(id.hex(), true, Nip100.colour(side))));
    } else {
      boolean begun = searches.begin(player);
      searches.connectsOf(player).add(connection, id);
      seen.accepted(id, searches.connectsOf(player));
      tell(submission.accepted(begun ? "" : Reason.duplicate("already searching").toString()));
      pairAll();
    }
  }

  private void cancelSearch(Cause cause, @Nullable GameSession game) {
    Submission submission = cause.submission();
    PubKey player = submission.event().pubkey();
    if (!bind(submission)) {
      return;
    }
    seen.accepted(cause.id(), null);
    searches.leave(player);
    if (game != null
        && Referee.decide(game.game(), new Command.Cancel(game.sideOf(player)), arrival(submission))
            instanceof Step step) {
      Announcements told = announce(game);
      told.say(submission.accepted(""));
      commit(game, step, told, cause);
    } else {
      tell(submission.accepted(""));
    }
  }

  private void pairAll() {
    long now = time.millis();
    for (var pair = searches.pair(now); pair.isPresent(); pair = searches.pair(now)) {
      boolean swap = lots.nextBoolean();
      Searches.Paired first = pair.get().first();
      Searches.Paired second = pair.get().second();
      start(swap ? second : first, swap ? first : second, now);
    }
    OptionalLong retry = searches.nextRetry(now);
    if (retry.isPresent()) {
      later("pairing", Duration.ofMillis(Math.max(1, retry.getAsLong() - now)), this::pairAll);
    }
  }

  private void start(Searches.Paired white, Searches.Paired black, long now) {
    Event gameIsFound = relay.gameIsFound(white.player(), black.player(), now);
    GameRef ref = new GameRef(gameIsFound.id(), white.player(), black.player());
    Playing playing = Playing.start(Rules.initial(), TimeControl.UNTIMED, 0, 0, now);
    GameSession game = new GameSession(ref, playing, white.connects(), black.connects());
    games.put(white.player(), game);
    games.put(black.player(), game);
    Announcements told = announce(game);
    told.started(gameIsFound, white.connects(), black.connects());
    store(
        told,
        outcome -> {
          game.endCommit();
          if (outcome == WriteOutcome.STORED) {
            watchBoth(game);
          } else {
            games.remove(white.player());
            games.remove(black.player());
          }
          game.runWaiting();
        },
        outcome -> {
          List<Outgoing> refusals = new ArrayList<>(white.connects().refusals(outcome.reason()));
          refusals.addAll(black.connects().refusals(outcome.reason()));
          return refusals;
        });
  }

  private void command(Cause cause, Request.InGame request, GameSession game) {
    Submission submission = cause.submission();
    Event event = submission.event();
    int next = game.game().plies() + 1;
    if (Nip100.ply(event).filter(ply -> !ply.equals("" + next)).isPresent()) {
      refuse(submission, Reason.invalid("stale, the next ply is " + next));
      return;
    }
    Command command = request.by(game.sideOf(event.pubkey()));
    Decision decision = Referee.decide(game.game(), command, arrival(submission));
    if (decision instanceof Refused refused) {
      refuse(submission, Reason.invalid(refused.text()));
    } else if (decision instanceof Step step && bind(submission)) {
      Announcements told = announce(game);
      GameEvent first = step.events().get(0);
      if (first instanceof GameEvent.IllegalMove illegal) {
        Reason reason = Reason.invalid(Nip100.illegal(illegal));
        seen.counted(event.id(), reason);
        told.say(submission.refused(reason));
      } else {
        remember(event);
        told.say(submission.accepted(Nip100.okText(request, step.events())));
        if (event.kind() != Nip100.LOBBY) {
          told.played(event, first);
        }
      }
      commit(game, step, told, cause);
    }
  }

  private void remember(Event event) {
    if (event.kind() == Nip100.LOBBY) {
      seen.accepted(event.id(), null);
    } else {
      seen.stored(event.id());
    }
  }

  /** Lets the step become the game once it is stored; then what waited goes on. */
  private void commit(GameSession game, Step step, Announcements told, @Nullable Cause cause) {
    game.beginCommit();
    boolean moved = step.events().get(0) instanceof GameEvent.Moved;
    if (moved && cause != null) {
      game.plies().add(cause.id());
    }
    if (step.next() instanceof Over over) {
      told.ended(over, game.plies(), cause == null ? null : cause.submission());
    }
    store(
        told,
        outcome -> {
          game.endCommit();
          if (outcome == WriteOutcome.STORED || endsAllTheSame(cause, outcome)) {
            settle(game, step, cause);
          } else {
            undo(game, moved, cause);
          }
          game.runWaiting();
        },
        outcome -> {
          if (cause != null) {
            return List.of(cause.submission().refused(outcome.reason()));
          }
          return endsAllTheSame(cause, outcome) ? told.withoutRecord() : List.of();
        });
  }

  /** A game that the relay itself ends is over also when there is no room for its record. */
  private static boolean endsAllTheSame(@Nullable Cause cause, WriteOutcome outcome) {
    return cause == null && outcome == WriteOutcome.FULL;
  }

  private void settle(GameSession game, Step step, @Nullable Cause cause) {
    if (step.events().get(0) instanceof GameEvent.Moved) {
      meters.moved();
    }
    if (step.next() instanceof Playing next) {
      game.advance(next);
    } else if (step.next() instanceof Over over) {
      finish(game, over, cause);
    }
  }

  private void undo(GameSession game, boolean moved, @Nullable Cause cause) {
    if (moved) {
      game.plies().remove(game.plies().size() - 1);
    }
    if (cause != null) {
      seen.forget(cause.id());
    } else {
      watchBoth(game); // an abandonment is tried again when the grace has passed once more
    }
  }

  private void finish(GameSession game, Over over, @Nullable Cause cause) {
    for (Side side : Side.values()) {
      games.remove(game.ref().player(side));
      deadlines.cancel(graceKey(game, side));
    }
    meters.ended(over.termination());
    if (cause != null && cause.request() instanceof Request.CancelSearch) {
      PubKey left = cause.submission().event().pubkey();
      PubKey other = game.opponentOf(left);
      if (bindings.isPresent(other)) {
        Connects connects = game.connects(game.sideOf(other));
        searches.beginFirst(other, connects, left, time.millis() + APART.toMillis());
        pairAll();
      }
    }
  }

  /** Binds the connection to the player; answers the event itself when it cannot. */
  private boolean bind(Submission submission) {
    PubKey player = submission.event().pubkey();
    if (!submission.connection().isOpen() && !bindings.isBound(player, submission.connection())) {
      tell(submission.refused(Reason.error("the connection is closed")));
      return false;
    }
    if (!bindings.bind(player, submission.connection())) {
      tell(submission.refused(Reason.restricted("too many players on this connection")));
      return false;
    }
    GameSession game = games.get(player);
    if (game != null) {
      Side side = game.sideOf(player);
      game.comeBack(side);
      deadlines.cancel(graceKey(game, side));
    }
    return true;
  }

  private void forget(ClientConnection connection) {
    for (PubKey player : bindings.playersOf(connection)) {
      GameSession game = games.get(player);
      if (game != null && game.isCommitting()) {
        game.await(() -> forget(connection)); // behind what it has sent before
        return;
      }
    }
    for (PubKey player : bindings.remove(connection)) {
      searches.leave(player);
      GameSession game = games.get(player);
      if (game != null) {
        watch(game, game.sideOf(player));
      }
    }
  }

  private void watchBoth(GameSession game) {
    for (Side side : Side.values()) {
      watch(game, side);
    }
  }

  /** Gives a player who is gone a period of grace. */
  private void watch(GameSession game, Side side) {
    if (!bindings.isPresent(game.ref().player(side))) {
      game.leave(side, time.millis() + settings.abandonGrace().toMillis());
      later(graceKey(game, side), settings.abandonGrace(), () -> abandon(game, side));
    }
  }

  private void abandon(GameSession game, Side side) {
    if (games.get(game.ref().player(side)) != game || !game.isGone(side)) {
      return;
    }
    long left = game.graceEnds(side) - time.millis();
    if (left > 0) { // the alarm goes by another clock
      later(graceKey(game, side), Duration.ofMillis(left), () -> abandon(game, side));
    } else if (game.isCommitting()) {
      game.await(() -> abandon(game, side));
    } else if (Referee.decide(game.game(), new Command.Abandon(side), time.millis())
        instanceof Step step) {
      commit(game, step, announce(game), null);
    }
  }

  private record GraceKey(EventId game, Side side) {}

  private static Object graceKey(GameSession game, Side side) {
    return new GraceKey(game.ref().id(), side);
  }

  private Announcements announce(GameSession game) {
    return new Announcements(game.ref(), bindings, relay, time.millis());
  }

  private void refuse(Submission submission, Reason reason) {
    Event event = submission.event();
    if (bindings.isBound(event.pubkey(), submission.connection())) {
      seen.refused(event.id(), reason);
    }
    tell(submission.refused(reason));
  }

  private void tell(Outgoing outgoing) {
    publisher.tell(List.of(outgoing));
  }

  /**
   * Stores what is told, in one commit, and then tells it.
   *
   * @param settled hears of it on the chess lane
   * @param instead what to tell when it could not be stored; on the writer's thread
   */
  private void store(
      Announcements told,
      Consumer<WriteOutcome> settled,
      Function<WriteOutcome, List<Outgoing>> instead) {
    if (told.stored().isEmpty()) {
      publisher.tell(told.outgoing());
      settled.accept(WriteOutcome.STORED);
      return;
    }
    boolean taken =
        publisher.store(
            Commit.of(told.stored()),
            outcome -> outcome == WriteOutcome.STORED ? told.outgoing() : instead.apply(outcome),
            outcome -> onLane(() -> settled.accept(outcome)));
    if (!taken) {
      publisher.tell(instead.apply(WriteOutcome.FAILED));
      onLane(() -> settled.accept(WriteOutcome.FAILED));
    }
  }

  private void later(Object key, Duration delay, Runnable task) {
    deadlines.set(key, delay, () -> onLane(task));
  }

  private static long arrival(Submission submission) {
    return submission.arrivedAt().toEpochMilli();
  }
}
