package gambit.chess.session;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Nip100;
import gambit.chess.dialect.RelayEvents;
import gambit.chess.dialect.Request;
import gambit.chess.game.Command;
import gambit.chess.game.Decision;
import gambit.chess.game.GameEvent;
import gambit.chess.game.Lobby;
import gambit.chess.game.Over;
import gambit.chess.game.Playing;
import gambit.chess.game.Referee;
import gambit.chess.game.Refused;
import gambit.chess.game.Step;
import gambit.chess.rules.Rules;
import gambit.chess.rules.Side;
import gambit.core.feature.ClientConnection;
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
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
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

  /** After how long something of the relay's own that could not be stored is tried again. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  private static final Reason BUSY = Reason.rateLimited("too many commands wait, try again");

  private static final Reason UNBOUND = Reason.restricted("send connect first");

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
  private final Lobby<PubKey> lobby = new Lobby<>();
  private final Map<PubKey, Connects> searches = new HashMap<>();
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
    if (!lane.submit(() -> handle(submission))) {
      publisher.tell(List.of(submission.refused(BUSY)));
    }
  }

  /** A connection has ended. Any thread. */
  void closed(ClientConnection connection) {
    lane.put(() -> forget(connection));
  }

  private void handle(Submission submission) {
    PubKey player = submission.event().pubkey();
    GameSession game = games.get(player);
    Optional<Request> request = Nip100.read(submission.event());
    if (request.isEmpty() && !isAttempt(submission)) {
      submission.pass();
    } else if (game == null || !game.isCommitting()) {
      rule(submission, request, isEntitled(submission, request));
    } else if (!isEntitled(submission, request)) {
      tell(submission.refused(UNBOUND));
    } else if (!game.await(game.sideOf(player), () -> rule(submission, request, true))) {
      tell(submission.refused(BUSY));
    }
    meters.now(lobby.size(), games.size() / 2);
  }

  /** Everything but a connect and a cancelsearch has to come over a bound connection. */
  private boolean isEntitled(Submission submission, Optional<Request> request) {
    return request.orElse(null) instanceof Request.Connect
        || request.orElse(null) instanceof Request.CancelSearch
        || bindings.isBound(submission.event().pubkey(), submission.connection());
  }

  private void rule(Submission submission, Optional<Request> request, boolean entitled) {
    Event event = submission.event();
    GameSession game = games.get(event.pubkey());
    Optional<SeenEvents.Ruling> earlier = seen.of(event.id());
    if (earlier.isPresent()) {
      tell(again(submission, earlier.get()));
      return;
    }
    Optional<Reason> objection =
        admission.objection(submission, game == null ? null : game.ref().id());
    if (objection.isPresent()) {
      tell(submission.refused(objection.get()));
    } else if (!entitled) {
      tell(submission.refused(UNBOUND));
    } else if (request.isEmpty()) {
      refuse(submission, Nip100.malformed(event));
    } else if (request.get() instanceof Request.Unsupported unsupported) {
      tell(submission.refused(Reason.unsupported(unsupported.word() + " is not offered here")));
    } else {
      act(submission, request.get(), game);
    }
  }

  /** A bound player's content that is no word: a malformed attempt while searching or playing. */
  private boolean isAttempt(Submission submission) {
    PubKey player = submission.event().pubkey();
    return bindings.isBound(player, submission.connection())
        && (games.containsKey(player) || lobby.isSearching(player));
  }

  private void act(Submission submission, Request request, @Nullable GameSession game) {
    if (request instanceof Request.Connect) {
      connect(submission, game);
    } else if (request instanceof Request.CancelSearch) {
      cancelSearch(submission, game);
    } else if (request instanceof Request.InGame inGame) {
      if (game == null) {
        refuse(submission, "no game in progress");
      } else {
        command(submission, inGame, game);
      }
    }
  }

  /** The answer to an event that was ruled on before: no second effect. */
  private Outgoing again(Submission submission, SeenEvents.Ruling ruling) {
    Event event = submission.event();
    if (ruling.refusal().isPresent()) {
      return submission.refused(ruling.refusal().get());
    }
    boolean spent =
        event.kind() == Nip100.LOBBY
            && event.content().equals("connect")
            && !isStillOn(event.pubkey(), event.id());
    return spent
        ? submission.refused(Reason.invalid("already used, sign a new event"))
        : submission.accepted(Reason.duplicate("already handled").toString());
  }

  private boolean isStillOn(PubKey player, EventId connect) {
    GameSession game = games.get(player);
    Connects search = searches.get(player);
    return (search != null && search.contains(connect))
        || (game != null && game.connects(game.sideOf(player)).contains(connect));
  }

  private void connect(Submission submission, @Nullable GameSession game) {
    Event event = submission.event();
    PubKey player = event.pubkey();
    ClientConnection connection = submission.connection();
    if (!bind(submission)) {
      return;
    }
    if (game != null) {
      Side side = game.sideOf(player);
      game.connects(side).add(connection, event.id());
      Connects own = new Connects();
      own.add(connection, event.id());
      Event resume = relay.resume(game.ref(), game.game(), time.millis());
      tell(submission.accepted(""));
      tell(Announcements.whisper(resume, Set.of(connection), Nip100.LOBBY));
      publisher.tell(own.colours(word(side)));
    } else if (lobby.search(player, time.millis())) {
      Connects connects = new Connects();
      connects.add(connection, event.id());
      searches.put(player, connects);
      tell(submission.accepted(""));
      pairAll();
    } else {
      searches.computeIfPresent(
          player,
          (p, connects) -> {
            connects.add(connection, event.id());
            return connects;
          });
      tell(submission.accepted(Reason.duplicate("already searching").toString()));
    }
  }

  private void cancelSearch(Submission submission, @Nullable GameSession game) {
    PubKey player = submission.event().pubkey();
    if (!bind(submission)) {
      return;
    }
    leaveQueue(player);
    Decision decision =
        game == null
            ? new Refused("no game in progress")
            : Referee.decide(
                game.game(), new Command.Cancel(game.sideOf(player)), arrival(submission));
    if (decision instanceof Step step && game != null) {
      Announcements told = announce(game);
      told.say(submission.accepted(""));
      commit(game, step, told, submission);
    } else {
      tell(submission.accepted(""));
    }
  }

  private void leaveQueue(PubKey player) {
    lobby.leave(player);
    searches.remove(player);
  }

  private void pairAll() {
    long now = time.millis();
    for (var pair = lobby.pair(now); pair.isPresent(); pair = lobby.pair(now)) {
      boolean swap = lots.nextBoolean();
      start(
          swap ? pair.get().second() : pair.get().first(),
          swap ? pair.get().first() : pair.get().second(),
          now);
    }
    OptionalLong retry = lobby.nextRetry(now);
    if (retry.isPresent()) {
      later("pairing", Duration.ofMillis(Math.max(1, retry.getAsLong() - now)), this::pairAll);
    }
  }

  /** Everyone in the lobby has sent a connect. */
  private Connects takeConnects(PubKey player) {
    return Objects.requireNonNull(searches.remove(player));
  }

  private void start(PubKey white, PubKey black, long now) {
    Event gameIsFound = relay.gameIsFound(white, black, now);
    GameRef ref = new GameRef(gameIsFound.id(), white, black);
    GameSession game =
        new GameSession(
            ref, Playing.start(Rules.initial(), now), takeConnects(white), takeConnects(black));
    games.put(white, game);
    games.put(black, game);
    Announcements told = announce(game);
    told.started(gameIsFound, game.connects(Side.WHITE), game.connects(Side.BLACK));
    store(
        told,
        stored -> {
          game.endCommit();
          if (!stored) {
            dismantle(game);
          } else {
            for (Side side : Side.values()) {
              watch(game, side);
            }
          }
          game.runWaiting();
        },
        reason -> List.of());
  }

  /** A game whose first event could not be stored has not begun: both search on. */
  private void dismantle(GameSession game) {
    for (Side side : Side.values()) {
      PubKey player = game.ref().player(side);
      games.remove(player);
      if (bindings.isPresent(player) && lobby.search(player, time.millis())) {
        searches.put(player, game.connects(side));
      }
    }
    later("pairing", RETRY, this::pairAll);
  }

  private void command(Submission submission, Request.InGame request, GameSession game) {
    Event event = submission.event();
    Side side = game.sideOf(event.pubkey());
    Decision decision = Referee.decide(game.game(), request.by(side), arrival(submission));
    if (decision instanceof Refused refused) {
      refuse(submission, refused.text());
    } else if (decision instanceof Step step) {
      Announcements told = announce(game);
      GameEvent first = step.events().get(0);
      if (first instanceof GameEvent.IllegalMove illegal) {
        Reason reason = Reason.invalid(Nip100.illegal(illegal));
        seen.refused(event.id(), reason);
        told.say(submission.refused(reason));
      } else {
        seen.accepted(event.id());
        told.say(submission.accepted(Nip100.okText(request, step.events())));
        if (event.kind() != Nip100.LOBBY) {
          told.played(event, first);
        }
      }
      commit(game, step, told, submission);
    }
  }

  /** Lets the step become the game once it is stored; then what waited goes on. */
  private void commit(GameSession game, Step step, Announcements told, @Nullable Submission cause) {
    game.beginCommit();
    boolean moved = step.events().get(0) instanceof GameEvent.Moved;
    if (moved && cause != null) {
      game.plies().add(cause.event().id());
    }
    if (step.next() instanceof Over over) {
      told.ended(over, game.plies(), cause);
    }
    store(
        told,
        stored -> {
          game.endCommit();
          if (!stored) {
            undo(game, moved, cause);
          } else if (step.next() instanceof Playing next) {
            game.advance(next);
            if (moved) {
              meters.moved();
            }
          } else if (step.next() instanceof Over over) {
            finish(game, over, moved, cause);
          }
          game.runWaiting();
        },
        reason -> cause == null ? List.of() : List.of(cause.refused(reason)));
  }

  private void undo(GameSession game, boolean moved, @Nullable Submission cause) {
    if (moved) {
      game.plies().remove(game.plies().size() - 1);
    }
    if (cause != null) {
      seen.forget(cause.event().id());
    } else {
      for (Side side : Side.values()) {
        watch(game, side);
      }
    }
  }

  private void finish(GameSession game, Over over, boolean moved, @Nullable Submission cause) {
    for (Side side : Side.values()) {
      games.remove(game.ref().player(side));
      deadlines.cancel(graceKey(game, side));
    }
    if (moved) {
      meters.moved();
    }
    meters.ended(over.termination());
    if (cause != null && cause.event().content().equals("cancelsearch")) {
      PubKey left = cause.event().pubkey();
      PubKey other = game.opponentOf(left);
      if (bindings.isPresent(other)) {
        lobby.searchFirst(other, left, time.millis() + APART.toMillis());
        searches.put(other, game.connects(game.sideOf(other)));
        pairAll();
      }
    }
    meters.now(lobby.size(), games.size() / 2);
  }

  /** Binds the connection to the player; answers the event itself when it cannot. */
  private boolean bind(Submission submission) {
    PubKey player = submission.event().pubkey();
    if (!submission.connection().isOpen()) {
      tell(submission.refused(Reason.error("the connection is closed")));
      return false;
    }
    if (!bindings.bind(player, submission.connection())) {
      tell(submission.refused(Reason.restricted("too many players on this connection")));
      return false;
    }
    seen.accepted(submission.event().id());
    GameSession game = games.get(player);
    if (game != null) {
      deadlines.cancel(graceKey(game, game.sideOf(player)));
    }
    return true;
  }

  private void forget(ClientConnection connection) {
    for (PubKey player : bindings.remove(connection)) {
      leaveQueue(player);
      GameSession game = games.get(player);
      if (game != null) {
        watch(game, game.sideOf(player));
      }
    }
    meters.now(lobby.size(), games.size() / 2);
  }

  /** Gives a player who is gone a period of grace. */
  private void watch(GameSession game, Side side) {
    if (!bindings.isPresent(game.ref().player(side))) {
      later(graceKey(game, side), settings.abandonGrace(), () -> abandon(game, side));
    }
  }

  private void abandon(GameSession game, Side side) {
    PubKey player = game.ref().player(side);
    if (games.get(player) != game || bindings.isPresent(player)) {
      return;
    }
    if (game.isCommitting()) {
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

  private void refuse(Submission submission, String text) {
    Reason reason = Reason.invalid(text);
    seen.refused(submission.event().id(), reason);
    tell(submission.refused(reason));
  }

  private void tell(Outgoing outgoing) {
    publisher.tell(List.of(outgoing));
  }

  /** Hears, on the chess lane, whether a commit has happened. */
  private interface Settled {
    void settled(boolean stored);
  }

  /** What to let out instead, when a commit has not happened. */
  private interface Excuse {
    List<Outgoing> because(Reason reason);
  }

  private void store(Announcements told, Settled settled, Excuse excuse) {
    if (told.stored().isEmpty()) {
      publisher.tell(told.outgoing());
      settled.settled(true);
      return;
    }
    boolean taken =
        publisher.store(
            told.stored(),
            outcome -> {
              boolean stored = outcome == WriteOutcome.STORED;
              lane.put(() -> settled.settled(stored));
              return stored ? told.outgoing() : excuse.because(outcome.reason());
            });
    if (!taken) {
      publisher.tell(excuse.because(Reason.error("the relay is busy, try again")));
      lane.put(() -> settled.settled(false));
    }
  }

  private void later(Object key, Duration delay, Runnable task) {
    deadlines.set(key, delay, () -> lane.put(task));
  }

  private static long arrival(Submission submission) {
    return submission.arrivedAt().toEpochMilli();
  }

  private static String word(Side side) {
    return side == Side.WHITE ? "white" : "black";
  }
}
