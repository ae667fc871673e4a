package gambit.chess.session.intake;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.RelayEvents;
import gambit.chess.dialect.Request;
import gambit.chess.game.Over;
import gambit.chess.session.journal.EndingRows;
import gambit.chess.session.journal.InviteRows;
import gambit.chess.session.journal.Journal;
import gambit.chess.session.journal.MissedEnding;
import gambit.chess.session.journal.SeenRows;
import gambit.chess.session.lobby.Matchmaking;
import gambit.chess.session.lobby.Rematches;
import gambit.chess.session.play.AwaitedMoves;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.play.Games;
import gambit.chess.session.play.ReturningPlayers;
import gambit.chess.session.play.SpectatorsWall;
import gambit.chess.session.play.StepCause;
import gambit.chess.session.play.WaitingEndings;
import gambit.chess.session.runtime.Bindings;
import gambit.chess.session.runtime.ChessMeters;
import gambit.chess.session.runtime.ChessSettings;
import gambit.chess.session.runtime.ColourAnswers;
import gambit.chess.session.runtime.Commits;
import gambit.chess.session.runtime.Inboxes;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.SeenEvents;
import gambit.chess.session.runtime.SessionContext;
import gambit.chess.session.runtime.Timers;
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
public final class Reception
    implements EventAuthority, ConnectionListener, Games.Listener, Bindings.Presence {
  private static final Logger LOG = LoggerFactory.getLogger(Reception.class);
  private static final Reason BUSY = Reason.rateLimited("too many chess events, try again");
  private static final Reason NO_GAME = Reason.invalid("no game in progress");
  private static final Reason ANOTHER_GAME = Reason.invalid("this event is for another game");

  private final Predicate<Runnable> inbox;
  private final Executor lane;
  private final Admission admission;
  private final SessionContext context;
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
  public Reception(
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
    this.context =
        new SessionContext(
            settings,
            dialects,
            events,
            new Timers(relay.time(), relay.deadlines(), this.lane),
            bindings,
            new SeenEvents(settings.maxClockSkew(), relay.time()),
            new Commits(relay.publisher(), this.lane, inboxes),
            new ChessMeters(relay.meters()));
    this.awaited = new AwaitedMoves(dialects);
    this.wall = new SpectatorsWall(bindings);
    this.games = new Games(context, awaited, wall, relay::afterArrivals, this);
    this.returning = new ReturningPlayers(context, games, new WaitingEndings());
    this.matchmaking = new Matchmaking(context, games, returning, lots);
    this.takesLogins = relay.takesLogins();
    recover(relay);
  }

  /** Goes on; the lane waits meanwhile, although alarms may ring already. */
  private void recover(RelayBuilder relay) {
    CompletableFuture<Void> recovered = new CompletableFuture<>();
    lane.execute(recovered::join);
    try {
      context.seen().recover(relay.rows(SeenRows.TABLE));
      matchmaking.invites().recover(relay.rows(InviteRows.TABLE));
      games.recover(relay.rows(Journal.TABLE));
      returning.recover(relay.rows(EndingRows.TABLE));
      count();
    } finally {
      recovered.complete(null);
    }
  }

  /** Clients can come: from now on time counts in the games that ran before. The lane's only. */
  public void open() {
    if (!isOpen) {
      isOpen = true;
      games.resume();
    }
  }

  /** Keeps what spectators say from players. */
  public ReadGuard wall() {
    return wall;
  }

  /** Asks clients to log in that subscribe to players of running games. */
  public SubscriptionListener subscriptions() {
    return returning;
  }

  private Runnable counted(Runnable task) {
    return () -> {
      task.run();
      count();
    };
  }

  private void count() {
    context
        .meters()
        .now(matchmaking.searching().size(), games.size(), matchmaking.invites().size());
  }

  @Override
  public boolean claims(Event event) {
    return dialectOf(event) != null
        || ((event.kind() == Kind.DELETION || event.kind() == Kind.VANISH)
            && matchmaking.invites().isInviting(event.pubkey()));
  }

  private @Nullable Dialect dialectOf(Event event) {
    for (Dialect dialect : context.dialects()) {
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
        context.tell(submission.refused(BUSY));
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
          Bindings bindings = context.bindings();
          boolean isNew = connection.isOpen() && !bindings.isBound(key, connection);
          if (isNew && bindings.bind(key, connection)) {
            returning.loggedIn(key, connection);
          }
        });
  }

  private void forget(ClientConnection connection) {
    for (PubKey player : context.bindings().playersOf(connection)) {
      if (context.inboxes().isBusy(player)) {
        context.inboxes().await(player, () -> forget(connection)); // behind what it has sent before
        return;
      }
    }
    context.bindings().remove(connection);
    returning.forget(connection);
  }

  @Override
  public void came(PubKey player) {
    games.comeBack(player);
  }

  @Override
  public void left(PubKey player) {
    matchmaking.searching().leave(player);
    games.leave(player);
  }

  @Override
  public void again(PlayerRequest request) {
    handle(request.submission());
  }

  @Override
  public void over(GameSession game, Over over, StepCause cause) {
    matchmaking.over(game, over, cause);
  }

  @Override
  public void isAway(PubKey player, GameSession game) {
    returning.missing(player, game);
  }

  @Override
  public void missed(MissedEnding ending) {
    returning.missed(ending);
  }

  /** Handles an event; a bug that it meets is answered, too, and costs nobody else anything. */
  private void handle(Submission submission) {
    try {
      open(); // this client may be faster than the relay tells that it listens
      sort(submission);
    } catch (RuntimeException e) {
      LOG.error("Event {} could not be handled; this is a bug", submission.event().id().hex(), e);
      context.tell(submission.refused(Reason.error("the event could not be handled")));
    }
  }

  private void sort(Submission submission) {
    Event event = submission.event();
    PubKey player = event.pubkey();
    Dialect dialect = dialectOf(event);
    if (context.inboxes().isBusy(player)) {
      context.inboxes().await(player, () -> handle(submission));
    } else if (dialect == null) {
      if (event.kind() == Kind.DELETION) {
        event.tags().named("e").forEach(tag -> deleted(player, tag));
        submission.pass();
      } else {
        submission.pass();
        matchmaking.invites().vanished(player, event.createdAt());
      }
    } else {
      handle(submission, dialect);
    }
  }

  private void deleted(PubKey author, List<String> tag) {
    if (tag.size() > 1 && Hex.isLowerCase(tag.get(1), 64)) {
      matchmaking.invites().deleted(author, EventId.ofHex(tag.get(1)));
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
      this.isBound = context.bindings().isBound(player, submission.connection());
    }

    @Override
    public Boolean asks(PlayerEvent.Content.Asks content) {
      return admit() && act(content.request());
    }

    private boolean act(Request wanted) {
      Bindings.Voice before = context.bindings().voice(player, submission.connection());
      PlayerRequest request = new PlayerRequest(submission, event, wanted, before);
      if (isBound || event.entrance() == PlayerEvent.Entrance.NEW) {
        Reception.this.act(request);
      } else {
        actUnbound(request);
      }
      return true;
    }

    @Override
    public Boolean nearMiss(PlayerEvent.Content.NearMiss content) {
      context.tell(submission.refused(content.hint()));
      return false;
    }

    @Override
    public Boolean malformed(PlayerEvent.Content.Malformed content) {
      boolean plays = games.of(player) != null || matchmaking.searching().contains(player);
      if (event.dialect().traits().sharesItsKinds() && !(isBound && plays)) {
        submission.pass();
      } else if (admit()) {
        GameSession game = games.of(player);
        GameRef ref = game == null || isForAnother(event, game) ? null : game.ref();
        context.refuse(submission, event.dialect(), content.fault(), ref);
      }
      return false;
    }

    /** Whether the event may have an effect here and now; answers it if not. */
    private boolean admit() {
      EventId id = event.event().id();
      Optional<SeenEvents.Ruling> earlier =
          isBound ? context.seen().of(id) : context.seen().ofUnbound(id);
      if (earlier.isPresent()) {
        context.tell(again(submission, earlier.get()));
      } else if (admission.lacksLogin(submission)) {
        context.tell(submission.refused(Reason.authRequired("players have to log in here")));
      } else if (!isBound && event.entrance() == PlayerEvent.Entrance.BOUND) {
        // forgotten: else a stranger could spoil the event
        context.tell(submission.refused(unbound(event.dialect())));
      } else {
        Optional<Reason> objection = admission.objection(submission);
        objection.ifPresent(reason -> context.refuse(submission, reason));
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
    ColourAnswers search = ruling.search();
    return search == null || matchmaking.searching().isCurrent(submission.event().pubkey(), search)
        ? submission.duplicate(Reason.duplicate("already handled"))
        : submission.refused(Reason.invalid("already used, sign a new event"));
  }

  /**
   * Lets a player come back to a running game whose seat speaks the event's dialect. Whoever has
   * captured the event may have sent it: it has an effect on no game but the one it was meant for,
   * and none on a search.
   */
  private void actUnbound(PlayerRequest request) {
    GameSession game = games.of(request.player());
    boolean playsOtherwise =
        game == null
            ? matchmaking.searching().contains(request.player())
            : game.ref().dialect(game.sideOf(request.player())) != request.dialect();
    Optional<Reason> doubt =
        game == null
            ? Optional.empty()
            : request.interpreted().state().doubtful(game.game(), game::isCurrent);
    if (playsOtherwise) {
      context.refuse(request, Reason.invalid(request.dialect().traits().entry()));
    } else if (doubt.isPresent()) {
      context.refuse(request, doubt.get());
    } else {
      act(request);
    }
  }

  private void act(PlayerRequest request) {
    GameSession game = games.of(request.player());
    if (isForAnother(request.interpreted(), game)) {
      refuse(request, ANOTHER_GAME);
    } else if (request.interpreted().entrance() == PlayerEvent.Entrance.NEW
        && context.seen().isFull()) {
      context.tell(request.submission().refused(BUSY));
    } else {
      grant(request, game);
    }
  }

  /** Whether the event names a game that is not the author's. */
  private static boolean isForAnother(PlayerEvent event, @Nullable GameSession game) {
    Optional<String> named = event.game();
    return named.isPresent() && (game == null || !named.get().equals(game.id().hex()));
  }

  private void grant(PlayerRequest request, @Nullable GameSession game) {
    if (!request.request().accept(new Granting(request, game))) {
      refuse(request, NO_GAME);
    }
  }

  /** Hands a request to whoever grants it; false when it needs a game and there is none. */
  private final class Granting implements Request.Visitor<Boolean> {
    private final PlayerRequest request;
    private final @Nullable GameSession game;

    private Granting(PlayerRequest request, @Nullable GameSession game) {
      this.request = request;
      this.game = game;
    }

    @Override
    public Boolean connect(Request.Connect wanted) {
      matchmaking.searching().connect(request, wanted);
      return true;
    }

    @Override
    public Boolean cancelSearch(Request.CancelSearch wanted) {
      matchmaking.searching().cancelSearch(request);
      return true;
    }

    @Override
    public Boolean invite(Request.Invite wanted) {
      matchmaking.invites().invite(request, wanted);
      return true;
    }

    @Override
    public Boolean acceptInvite(Request.AcceptInvite wanted) {
      matchmaking.invites().accept(request, wanted, it -> handle(it.submission()));
      return true;
    }

    @Override
    public Boolean rejectInvite(Request.RejectInvite wanted) {
      matchmaking.invites().reject(request, wanted, it -> handle(it.submission()));
      return true;
    }

    @Override
    public Boolean rematch(Request.Rematch wanted) {
      matchmaking.rematches().rematch(request, wanted, it -> handle(it.submission()));
      return true;
    }

    @Override
    public Boolean faulty(Request.Faulty wanted) {
      context.refuse(request, wanted.fault());
      return true;
    }

    /** Leaves the queue or a game that was just found, else resigns. */
    @Override
    public Boolean quit(Request.Quit wanted) {
      return matchmaking.searching().quit(request) || inGame(wanted);
    }

    @Override
    public Boolean inGame(Request.InGame wanted) {
      if (game == null) {
        return false;
      }
      games.command(request, wanted, game);
      return true;
    }
  }

  /** Refuses what is about no game that its author plays; tells how it ended if it just has. */
  private void refuse(PlayerRequest request, Reason reason) {
    Optional<Rematches.Ended> ended =
        matchmaking.rematches().ended(request.player(), request.interpreted().game());
    context.refuse(
        request.submission(),
        request.dialect(),
        ended.map(it -> Reason.invalid("the game is over: " + it.how())).orElse(reason),
        ended.map(Rematches.Ended::ref).orElse(null));
  }
}
