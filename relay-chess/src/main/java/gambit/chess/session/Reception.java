package gambit.chess.session;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.RelayEvents;
import gambit.chess.dialect.Request;
import gambit.chess.game.Over;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.EventAuthority;
import gambit.core.feature.Outgoing;
import gambit.core.feature.ReadGuard;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Submission;
import gambit.core.feature.SubscriptionListener;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where players' events come in: it tells what is chess from what is not, whose it is and whether
 * it may have an effect here and now, and hands it on to {@link Matchmaking} or {@link Games}.
 * Every event gets its one answer. It belongs to the chess lane; the methods of the interfaces may
 * be called from any thread.
 */
final class Reception
    implements EventAuthority, ConnectionListener, Games.Listener, Bindings.Presence {
  private static final Logger LOG = LoggerFactory.getLogger(Reception.class);
  private static final Reason BUSY = Reason.rateLimited("too many chess events, try again");
  private static final Reason NO_GAME = Reason.invalid("no game in progress");
  private static final Reason ANOTHER_GAME = Reason.invalid("this event is for another game");

  private final Predicate<Runnable> inbox;
  private final Executor lane;
  private final Admission admission;
  private final Desk desk;
  private final Games games;
  private final Matchmaking matchmaking;
  private final AwaitedMoves awaited;
  private final SpectatorsWall wall;
  private final ReturningPlayers returning;
  private final boolean takesLogins;
  private boolean isOpen; // the chess lane's

  /**
   * Opens, and goes on with what ran before a restart.
   *
   * @param inbox hands a task to the chess lane; false when too much waits there
   * @param lane hands it the continuation of something
   * @param lots draws the colours
   */
  Reception(
      RelayBuilder relay,
      RelayEvents events,
      List<Dialect> dialects,
      ChessSettings settings,
      Predicate<Runnable> inbox,
      Executor lane,
      RandomGenerator lots) {
    this.inbox = task -> inbox.test(counted(task));
    this.lane = task -> lane.execute(counted(task));
    this.admission = new Admission(settings.maxClockSkew(), settings.requireAuth(), relay.urls());
    Bindings bindings = new Bindings(this);
    Inboxes inboxes = new Inboxes();
    this.desk =
        new Desk(
            settings,
            dialects,
            events,
            relay.time(),
            relay.deadlines(),
            this.lane,
            bindings,
            inboxes,
            new SeenEvents(settings.maxClockSkew(), relay.time()),
            new Commits(relay.publisher(), this.lane, inboxes),
            new ChessMeters(relay.meters()));
    this.awaited = new AwaitedMoves(dialects);
    this.wall = new SpectatorsWall(bindings);
    this.games = new Games(desk, awaited, wall, relay::afterArrivals, this);
    this.returning = new ReturningPlayers(desk, games, new WaitingEndings());
    this.matchmaking = new Matchmaking(desk, games, returning, lots);
    this.takesLogins = relay.takesLogins();
    recover(relay);
  }

  /** Goes on; the lane waits meanwhile, although alarms may ring already. */
  private void recover(RelayBuilder relay) {
    CompletableFuture<Void> recovered = new CompletableFuture<>();
    lane.execute(recovered::join);
    try {
      desk.seen().recover(relay.rows(SeenEvents.TABLE));
      matchmaking.recover(relay.rows(Challenges.TABLE));
      games.recover(relay.rows(Journal.TABLE));
      returning.recover(relay.rows(WaitingEndings.TABLE));
      count();
    } finally {
      recovered.complete(null);
    }
  }

  /** Clients can come: from now on time counts in the games that ran before. The lane's only. */
  void open() {
    if (!isOpen) {
      isOpen = true;
      games.resume();
    }
  }

  /** Keeps what spectators say from players. */
  ReadGuard wall() {
    return wall;
  }

  /** Asks clients to log in that subscribe to players of running games. */
  SubscriptionListener subscriptions() {
    return returning;
  }

  private Runnable counted(Runnable task) {
    return () -> {
      task.run();
      count();
    };
  }

  private void count() {
    desk.meters().now(matchmaking.searching(), games.size(), matchmaking.inviting());
  }

  @Override
  public boolean claims(Event event) {
    return dialectOf(event) != null
        || ((event.kind() == Kind.DELETION || event.kind() == Kind.VANISH)
            && matchmaking.isInviting(event.pubkey()));
  }

  private @Nullable Dialect dialectOf(Event event) {
    for (Dialect dialect : desk.dialects()) {
      if (dialect.reader().mayBe(event)) {
        return dialect;
      }
    }
    return null;
  }

  @Override
  public boolean isAwaited(Event event) {
    return awaited.isAwaited(event);
  }

  @Override
  public void rule(Submission submission) {
    Runnable task = () -> handle(submission);
    boolean isAwaited = submission.awaited() && awaited.takes(submission.event());
    if (!inbox.test(task)) {
      if (isAwaited) {
        lane.execute(task); // bounded by what may be under way
      } else {
        desk.tell(submission.refused(BUSY));
      }
    }
  }

  @Override
  public void closed(ClientConnection connection) {
    lane.execute(() -> forget(connection));
  }

  @Override
  public void authenticated(ClientConnection connection, PubKey key) {
    lane.execute(
        () -> {
          open();
          Bindings bindings = desk.bindings();
          boolean isNew = connection.isOpen() && !bindings.isBound(key, connection);
          if (isNew && bindings.bind(key, connection)) {
            returning.loggedIn(key, connection);
          }
        });
  }

  private void forget(ClientConnection connection) {
    for (PubKey player : desk.bindings().playersOf(connection)) {
      if (desk.inboxes().isBusy(player)) {
        desk.inboxes().await(player, () -> forget(connection)); // behind what it has sent before
        return;
      }
    }
    desk.bindings().remove(connection);
    returning.forget(connection);
  }

  @Override
  public void came(PubKey player) {
    games.comeBack(player);
  }

  @Override
  public void left(PubKey player) {
    matchmaking.leave(player);
    games.leave(player);
  }

  @Override
  public void again(Submission submission) {
    handle(submission);
  }

  @Override
  public void over(GameSession game, Over over, @Nullable Ask cause) {
    matchmaking.over(game, over, cause);
  }

  @Override
  public void isAway(PubKey player, GameSession game) {
    returning.missing(player, game);
  }

  @Override
  public void missed(WaitingEndings.Ending ending) {
    returning.missed(ending);
  }

  /** Handles an event; a bug that it meets is answered, too, and costs nobody else anything. */
  private void handle(Submission submission) {
    try {
      open(); // this client may be faster than the relay tells that it listens
      sort(submission);
    } catch (RuntimeException e) {
      LOG.error("Event {} could not be handled; this is a bug", submission.event().id().hex(), e);
      desk.tell(submission.refused(Reason.error("the event could not be handled")));
    }
  }

  private void sort(Submission submission) {
    Event event = submission.event();
    PubKey player = event.pubkey();
    Dialect dialect = dialectOf(event);
    if (desk.inboxes().isBusy(player)) {
      desk.inboxes().await(player, () -> handle(submission));
    } else if (dialect == null) {
      if (event.kind() == Kind.DELETION) {
        event.tags().named("e").forEach(tag -> deleted(player, tag));
        submission.pass();
      } else {
        submission.pass();
        matchmaking.vanished(player, event.createdAt());
      }
    } else {
      handle(submission, dialect);
    }
  }

  private void deleted(PubKey author, List<String> tag) {
    if (tag.size() > 1 && Hex.isLowerCase(tag.get(1), 64)) {
      matchmaking.deleted(author, EventId.ofHex(tag.get(1)));
    }
  }

  private void handle(Submission submission, Dialect dialect) {
    PlayerEvent event = dialect.reader().read(submission.event());
    event.content().accept(new Sorting(submission, event));
  }

  /** Handles an event by what it asks for. */
  private final class Sorting implements PlayerEvent.Content.Visitor<Boolean> {
    private final Submission submission;
    private final PlayerEvent event;
    private final PubKey player;
    private final boolean isBound;

    private Sorting(Submission submission, PlayerEvent event) {
      this.submission = submission;
      this.event = event;
      this.player = event.event().pubkey();
      this.isBound = desk.bindings().isBound(player, submission.connection());
    }

    @Override
    public Boolean asks(PlayerEvent.Content.Asks content) {
      return admit() && act(content.request());
    }

    private boolean act(Request request) {
      Bindings.Voice before = desk.bindings().voice(player, submission.connection());
      Ask ask = new Ask(submission, event, request, before);
      if (isBound || event.entrance() == PlayerEvent.Entrance.NEW) {
        Reception.this.act(ask);
      } else {
        actUnbound(ask);
      }
      return true;
    }

    @Override
    public Boolean nearMiss(PlayerEvent.Content.NearMiss content) {
      desk.tell(submission.refused(content.hint()));
      return false;
    }

    @Override
    public Boolean malformed(PlayerEvent.Content.Malformed content) {
      boolean plays = games.of(player) != null || matchmaking.isSearching(player);
      if (event.dialect().traits().sharesItsKinds() && !(isBound && plays)) {
        submission.pass();
      } else if (admit()) {
        GameSession game = games.of(player);
        GameRef ref = game == null || isForAnother(event, game) ? null : game.ref();
        desk.refuse(submission, event.dialect(), content.fault(), ref);
      }
      return false;
    }

    /** Whether the event may have an effect here and now; answers it if not. */
    private boolean admit() {
      EventId id = event.event().id();
      Optional<SeenEvents.Ruling> earlier =
          isBound ? desk.seen().of(id) : desk.seen().ofUnbound(id);
      if (earlier.isPresent()) {
        desk.tell(again(submission, earlier.get()));
      } else if (admission.lacksLogin(submission)) {
        desk.tell(submission.refused(Reason.authRequired("players have to log in here")));
      } else if (!isBound && event.entrance() == PlayerEvent.Entrance.BOUND) {
        // forgotten: else a stranger could spoil the event
        desk.tell(submission.refused(unbound(event.dialect())));
      } else {
        Optional<Reason> objection = admission.objection(submission);
        objection.ifPresent(reason -> desk.refuse(submission, reason));
        return objection.isEmpty();
      }
      return false;
    }
  }

  private Reason unbound(Dialect dialect) {
    String entry = dialect.traits().entry();
    return takesLogins ? Reason.authRequired(entry) : Reason.restricted(entry);
  }

  /** The answer to an event that was ruled on before: no second effect. */
  private Outgoing again(Submission submission, SeenEvents.Ruling ruling) {
    if (ruling.refusal().isPresent()) {
      return submission.refused(ruling.refusal().get());
    }
    Connects search = ruling.search();
    return search == null || matchmaking.isStillOn(submission.event().pubkey(), search)
        ? submission.accepted(Reason.duplicate("already handled").toString())
        : submission.refused(Reason.invalid("already used, sign a new event"));
  }

  /**
   * Lets a player come back to a running game whose seat speaks the event's dialect. Whoever has
   * captured the event may have sent it: it has an effect on no game but the one it was meant for,
   * and none on a search.
   */
  private void actUnbound(Ask ask) {
    GameSession game = games.of(ask.player());
    boolean playsOtherwise =
        game == null
            ? matchmaking.isSearching(ask.player())
            : game.ref().dialect(game.sideOf(ask.player())) != ask.dialect();
    Optional<Reason> doubt =
        game == null
            ? Optional.empty()
            : ask.interpreted().state().doubtful(game.game(), game::isCurrent);
    if (playsOtherwise) {
      desk.refuse(ask, Reason.invalid(ask.dialect().traits().entry()));
    } else if (doubt.isPresent()) {
      desk.refuse(ask, doubt.get());
    } else {
      act(ask);
    }
  }

  private void act(Ask ask) {
    GameSession game = games.of(ask.player());
    if (isForAnother(ask.interpreted(), game)) {
      refuse(ask, ANOTHER_GAME);
    } else if (ask.interpreted().entrance() == PlayerEvent.Entrance.NEW && desk.seen().isFull()) {
      desk.tell(ask.submission().refused(BUSY));
    } else {
      grant(ask, game);
    }
  }

  /** Whether the event names a game that is not the author's. */
  private static boolean isForAnother(PlayerEvent event, @Nullable GameSession game) {
    Optional<String> named = event.game();
    return named.isPresent() && (game == null || !named.get().equals(game.id().hex()));
  }

  private void grant(Ask ask, @Nullable GameSession game) {
    if (!ask.request().accept(new Granting(ask, game))) {
      refuse(ask, NO_GAME);
    }
  }

  /** Hands a request to whoever grants it; false when it needs a game and there is none. */
  private final class Granting implements Request.Visitor<Boolean> {
    private final Ask ask;
    private final @Nullable GameSession game;

    private Granting(Ask ask, @Nullable GameSession game) {
      this.ask = ask;
      this.game = game;
    }

    @Override
    public Boolean connect(Request.Connect request) {
      matchmaking.connect(ask, request);
      return true;
    }

    @Override
    public Boolean cancelSearch(Request.CancelSearch request) {
      matchmaking.cancel(ask);
      return true;
    }

    @Override
    public Boolean invite(Request.Invite request) {
      matchmaking.invite(ask, request);
      return true;
    }

    @Override
    public Boolean acceptInvite(Request.AcceptInvite request) {
      matchmaking.accept(ask, request, it -> handle(it.submission()));
      return true;
    }

    @Override
    public Boolean rejectInvite(Request.RejectInvite request) {
      matchmaking.reject(ask, request, it -> handle(it.submission()));
      return true;
    }

    @Override
    public Boolean rematch(Request.Rematch request) {
      matchmaking.rematch(ask, request, it -> handle(it.submission()));
      return true;
    }

    @Override
    public Boolean faulty(Request.Faulty request) {
      desk.refuse(ask, request.fault());
      return true;
    }

    /** Leaves the queue or a game that was just found, else resigns. */
    @Override
    public Boolean quit(Request.Quit request) {
      return matchmaking.quit(ask) || inGame(request);
    }

    @Override
    public Boolean inGame(Request.InGame request) {
      if (game == null) {
        return false;
      }
      games.command(ask, request, game);
      return true;
    }
  }

  /** Refuses what is about no game that its author plays; tells how it ended if it just has. */
  private void refuse(Ask ask, Reason reason) {
    Optional<Matchmaking.Ended> ended = matchmaking.ended(ask.player(), ask.interpreted().game());
    desk.refuse(
        ask.submission(),
        ask.dialect(),
        ended.map(it -> Reason.invalid("the game is over: " + it.how())).orElse(reason),
        ended.map(Matchmaking.Ended::ref).orElse(null));
  }
}
