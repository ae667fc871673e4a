package gambit.chess.session.intake;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.DialectReader;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.RelayEvents;
import gambit.chess.game.Over;
import gambit.chess.rules.LegalMove;
import gambit.chess.session.journal.EndingRows;
import gambit.chess.session.journal.InviteRows;
import gambit.chess.session.journal.Journal;
import gambit.chess.session.journal.MissedEnding;
import gambit.chess.session.journal.SeenRows;
import gambit.chess.session.lobby.Matchmaking;
import gambit.chess.session.play.AwaitedMoves;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.play.Games;
import gambit.chess.session.play.ReturningPlayers;
import gambit.chess.session.play.SpectatorsWall;
import gambit.chess.session.play.StepCause;
import gambit.chess.session.play.WaitingEndings;
import gambit.chess.session.runtime.Bindings;
import gambit.chess.session.runtime.ChessMetrics;
import gambit.chess.session.runtime.ChessSettings;
import gambit.chess.session.runtime.Commits;
import gambit.chess.session.runtime.Inboxes;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.ReceivedEvent;
import gambit.chess.session.runtime.SeenEvents;
import gambit.chess.session.runtime.SessionContext;
import gambit.chess.session.runtime.Timers;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.EventAuthority;
import gambit.core.feature.ReadGuard;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Submission;
import gambit.core.feature.SubscriptionListener;
import gambit.core.model.Event;
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

/**
 * Where players' events come in: it interprets them on event loops, hands them to the chess lane,
 * and wires the parts of the session manager. Every event gets its one answer. It belongs to the
 * chess lane; the methods of the relay's interfaces may be called from any thread.
 */
public final class Reception
    implements EventAuthority, ConnectionListener, Games.Listener, Bindings.Presence {
  static final Reason BUSY = Reason.rateLimited("too many chess events, try again");

  private final Predicate<Runnable> inbox;
  private final Executor lane;
  private final SessionContext context;
  private final Games games;
  private final Matchmaking matchmaking;
  private final AwaitedMoves awaited;
  private final SpectatorsWall wall;
  private final ReturningPlayers returning;
  private final RequestHandler handler;
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
            new ChessMetrics(relay.metrics()));
    this.awaited = new AwaitedMoves();
    this.wall = new SpectatorsWall(bindings);
    this.games = new Games(context, awaited, wall, relay::afterArrivals, this);
    this.returning = new ReturningPlayers(context, games, new WaitingEndings());
    this.matchmaking = new Matchmaking(context, games, returning, lots);
    Admission admission =
        new Admission(settings.maxClockSkew(), settings.requireAuth(), relay.urls());
    this.handler =
        new RequestHandler(context, admission, games, matchmaking, relay.takesLogins(), this::open);
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
        .metrics()
        .now(matchmaking.searching().size(), games.size(), matchmaking.invites().size());
  }

  @Override
  public Optional<Claim> claim(Event event) {
    for (Dialect dialect : context.dialects()) {
      if (dialect.reader().mayBe(event)) {
        return Optional.of(new PlayerClaim(dialect.reader(), event));
      }
    }
    boolean mayWithdraw =
        (event.kind() == Kind.DELETION || event.kind() == Kind.VANISH)
            && matchmaking.invites().isInviting(event.pubkey());
    return mayWithdraw ? Optional.of(this::withdraw) : Optional.empty();
  }

  /**
   * A player's event. It is interpreted once, when that is first needed: before the signature is
   * checked only for a player whose move the relay waits for.
   */
  private final class PlayerClaim implements Claim {
    private final DialectReader reader;
    private final Event event;
    private @Nullable PlayerEvent interpreted;
    private @Nullable LegalMove legal;

    private PlayerClaim(DialectReader reader, Event event) {
      this.reader = reader;
      this.event = event;
    }

    private PlayerEvent interpreted() {
      if (interpreted == null) {
        interpreted = reader.read(event);
      }
      return interpreted;
    }

    @Override
    public boolean isAwaited() {
      legal = awaited.legalMove(event.pubkey(), this::interpreted).orElse(null);
      return legal != null;
    }

    @Override
    public void rule(Submission submission) {
      ReceivedEvent received = new ReceivedEvent(submission, interpreted(), legal);
      boolean isTaken = submission.awaited() && awaited.takes(event);
      if (!inbox.test(() -> handler.handle(received))) {
        if (isTaken) {
          lane.execute(() -> handler.handle(received)); // bounded by the events under way
        } else {
          context.tell(submission.refused(BUSY));
        }
      }
    }
  }

  private void withdraw(Submission submission) {
    Runnable task = () -> handler.withdraw(submission);
    if (!inbox.test(task)) {
      context.tell(submission.refused(BUSY));
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
    handler.handle(request.received());
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
}
