package gambit.chess.session.intake;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.dialect.jester.JesterMessage;
import gambit.chess.game.FinishedGame;
import gambit.chess.rules.LegalMove;
import gambit.chess.session.jester.JesterGames;
import gambit.chess.session.journal.GameRows;
import gambit.chess.session.journal.MissedEnding;
import gambit.chess.session.journal.ReminderRow;
import gambit.chess.session.journal.StoredRatings;
import gambit.chess.session.lobby.Invites;
import gambit.chess.session.lobby.LobbyState;
import gambit.chess.session.lobby.PendingInvite;
import gambit.chess.session.lobby.Rematches;
import gambit.chess.session.lobby.Searches;
import gambit.chess.session.play.AwaitedMoves;
import gambit.chess.session.play.GamePresences;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.play.Games;
import gambit.chess.session.play.KnownGames;
import gambit.chess.session.play.Lots;
import gambit.chess.session.play.MissedEndings;
import gambit.chess.session.play.PlayerPresences;
import gambit.chess.session.play.Reminders;
import gambit.chess.session.play.ReturningPlayers;
import gambit.chess.session.play.RunningGames;
import gambit.chess.session.rating.Ratings;
import gambit.chess.session.runtime.BusyPlayers;
import gambit.chess.session.runtime.ChessMetrics;
import gambit.chess.session.runtime.ChessSettings;
import gambit.chess.session.runtime.ConnectionBindings;
import gambit.chess.session.runtime.PendingCommits;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.chess.session.runtime.SeenEvents;
import gambit.chess.session.runtime.SessionContext;
import gambit.chess.session.runtime.StoredGames;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.EventHandler;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Submission;
import gambit.core.feature.SubscriptionListener;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Receives players' events: interprets them on event loops and hands them to the chess lane.
 * Creates and connects the parts of the session manager. Every event gets exactly one answer. Owned
 * by the chess lane; the methods of the relay's interfaces may be called from any thread.
 */
public final class EventIntake
    implements EventHandler,
        ConnectionListener,
        SubscriptionListener,
        Games.Listener,
        ConnectionBindings.PresenceListener {
  static final Reason BUSY = Reason.rateLimited("too many chess events, try again");

  private final BiPredicate<Set<Object>, Runnable> inbox;
  private final Executor lane;
  private final SessionContext context;
  private final Ratings ratings;
  private final Games games;
  private final Searches searches;
  private final Invites invites;
  private final Rematches rematches;
  private final LobbyState lobby;
  private final JesterGames jester;
  private final AwaitedMoves awaited;
  private final PlayerPresences players;
  private final Reminders reminders;
  private final ReturningPlayers returning;
  private final MissedEndings missedEndings;
  private final RequestHandler handler;
  private final FinishedGames finishedGames;
  private boolean isOpen; // owned by the chess lane

  /**
   * Creates the session manager, and restores its state after a restart of the relay, or of the
   * node that has led a cluster.
   *
   * @param known is told of the running games
   * @param inForce the settings, of which some may change ({@link ChessSettings})
   * @param inbox hands a task of a connection's owners to the chess lane; false if its queue, or
   *     their share of it, is full
   * @param lane hands continuations to the chess lane, also if its queue is full
   * @param background runs what no game waits for, on another lane
   * @param source of the lots that draw the colours
   * @param isListening whether clients are connected already, so that clocks start at once
   */
  public EventIntake(
      RelayBuilder relay,
      RefereeEvents events,
      List<Dialect> dialects,
      KnownGames known,
      FinishedGames finishedGames,
      ChessMetrics metrics,
      Supplier<ChessSettings> inForce,
      BiPredicate<Set<Object>, Runnable> inbox,
      Executor lane,
      Executor background,
      Lots.Source source,
      boolean isListening) {
    this.inbox = (owners, task) -> inbox.test(owners, withUpdates(task));
    this.lane = task -> lane.execute(withUpdates(task));
    ChessSettings settings = inForce.get();
    ConnectionBindings bindings = new ConnectionBindings(this);
    BusyPlayers busyPlayers = new BusyPlayers();
    this.context =
        new SessionContext(
            inForce,
            dialects,
            events,
            relay.time(),
            relay.deadlines(),
            this.lane,
            task -> relay.afterArrivals(() -> this.lane.execute(task)),
            bindings,
            new SeenEvents(settings.maxClockSkew(), relay.time()),
            new PendingCommits(relay.publisher(), this.lane, busyPlayers),
            new StoredRatings(relay::row),
            metrics);
    this.awaited = known.awaited();
    GamePresences presences = new GamePresences(context, known.watchers());
    this.players = new PlayerPresences(context, known);
    RunningGames running = new RunningGames(known, presences, players);
    this.missedEndings = new MissedEndings(context);
    this.returning = new ReturningPlayers(context, running, missedEndings);
    this.ratings = new Ratings(context, relay);
    Lots lots = new Lots(context, source, relay::row, relay.storedEvents());
    this.reminders = new Reminders(context, running, relay, background);
    this.games = new Games(context, running, missedEndings, ratings, lots, reminders, this);
    this.finishedGames = finishedGames;
    this.searches = new Searches(context, games, returning, relay::isRefused);
    this.invites = new Invites(context, games, searches, reminders, relay::isRefused, this::retry);
    this.rematches = new Rematches(context, games, invites, new StoredGames(relay.storedEvents()));
    this.jester = new JesterGames(context, relay);
    this.lobby = new LobbyState(context, games, searches.queues(), invites.pending(), jester);
    this.handler =
        new RequestHandler(
            context,
            relay.urls(),
            games,
            searches,
            invites,
            rematches,
            reminders,
            jester,
            relay.takesLogins(),
            this::open);
    known.lead(bindings);
    relay.afterStall(() -> this.lane.execute(games::resumeAfterStall));
    recover(relay, background, isListening);
    this.lane.execute(lots::begin);
  }

  /** Restores the state. The lane is blocked meanwhile, since alarms may run already. */
  private void recover(RelayBuilder relay, Executor background, boolean isListening) {
    CompletableFuture<Void> recovered = new CompletableFuture<>();
    lane.execute(recovered::join);
    try {
      context.seen().recover(relay.rows(SeenEvents.TABLE));
      invites.recover(relay.rows(PendingInvite.TABLE));
      games.recover(relay.rows(GameRows.TABLE), relay.rows(ReminderRow.TABLE));
      missedEndings.recover(relay.rows(MissedEnding.TABLE));
      jester.recover(relay.rows(JesterGames.TABLE));
      ratings.recover(background);
      if (isListening) {
        open();
      }
      updateMetrics();
      lobby.publish();
    } finally {
      recovered.complete(null);
    }
  }

  /** Starts the clocks of restored games, when clients can connect. On the chess lane. */
  public void open() {
    if (!isOpen) {
      isOpen = true;
      games.resume();
    }
  }

  @Override
  public void subscribed(ClientConnection connection, List<Filter> filters) {
    games.absentPlayers().subscribed(connection, filters);
    returning.subscribed(connection);
  }

  /** A task of the lane, and the updates of everything that follows from its changes. */
  private Runnable withUpdates(Runnable task) {
    return () -> {
      task.run();
      updateMetrics();
      lobby.publishChangesLater();
    };
  }

  private void updateMetrics() {
    context
        .metrics()
        .setGauges(
            searches.queues().size(),
            games.players(),
            games.size() + jester.running(),
            invites.pending().size());
  }

  @Override
  public Optional<ClaimedEvent> claim(Event event) {
    for (Dialect dialect : context.dialects()) {
      if (dialect.isCandidate(event)) {
        return Optional.of(new ClaimedPlayerEvent(dialect, event));
      }
    }
    if (event.kind() == JesterMessage.KIND) {
      return Optional.of(this::takeJester);
    }
    boolean mayWithdraw =
        (event.kind() == Kind.DELETION || event.kind() == Kind.VANISH)
            && (invites.pending().hasInvitesBy(event.pubkey()) || jester.hasGames(event.pubkey()));
    return mayWithdraw ? Optional.of(this::withdraw) : Optional.empty();
  }

  /**
   * A claimed event of a player. It is interpreted once, when it is first needed. Before the
   * signature is checked, that is needed only if the relay waits for a move of its author.
   */
  private final class ClaimedPlayerEvent implements ClaimedEvent {
    private final Dialect dialect;
    private final Event event;
    private @Nullable PlayerEvent interpreted;
    private @Nullable LegalMove legal;

    private ClaimedPlayerEvent(Dialect dialect, Event event) {
      this.dialect = dialect;
      this.event = event;
    }

    private PlayerEvent interpreted() {
      if (interpreted == null) {
        interpreted = dialect.read(event);
      }
      return interpreted;
    }

    @Override
    public boolean isRequest() {
      return interpreted().isRequest();
    }

    @Override
    public boolean isAwaited() {
      legal = awaited.legalMove(event.pubkey(), this::interpreted).orElse(null);
      return legal != null;
    }

    @Override
    public void handle(Submission submission) {
      if (isOfFinishedGame(submission.arrivedAt())) {
        submission.pass();
        return;
      }
      boolean isTaken =
          submission.awaited()
              && (legal != null || isAwaited()) // a follower knows only whose turn it is
              && awaited.count(interpreted());
      PlayerEvent event = interpreted();
      LegalMove move = legal;
      Runnable task = context.metrics().measured(() -> handler.handle(submission, event, move));
      if (!inbox.test(submission.connection().owners(), task)) {
        if (isTaken) {
          lane.execute(task); // bounded by the events under way
        } else {
          context.send(submission.refused(BUSY));
        }
      }
    }

    private boolean isOfFinishedGame(Instant now) {
      return finishedGames.isOld(event, now)
          && interpreted().isRequest()
          && finishedGames.objection(interpreted(), now).isEmpty();
    }
  }

  private void withdraw(Submission submission) {
    handOver(submission, () -> handler.withdraw(submission));
  }

  /** Handles an event of kind 30; it is read here, and judged on the chess lane. */
  private void takeJester(Submission submission) {
    Optional<JesterMessage> message = JesterMessage.read(submission.event());
    if (message.isEmpty()) {
      submission.pass();
      return;
    }
    handOver(
        submission,
        context.metrics().measured(() -> handler.takeJester(submission, message.get())));
  }

  private void handOver(Submission submission, Runnable task) {
    if (!inbox.test(submission.connection().owners(), task)) {
      context.send(submission.refused(BUSY));
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
          logIn(key, connection);
        });
  }

  private void logIn(PubKey player, ClientConnection connection) {
    boolean isNew = connection.isOpen() && !context.bindings().isBound(player, connection);
    if (isNew && context.bindAfterLogin(player, connection)) {
      returning.loggedIn(player, connection);
    }
  }

  private void forget(ClientConnection connection) {
    Set<PubKey> players = context.bindings().playersOf(connection); // whose earlier events go first
    if (!context.busyPlayers().awaitIfBusy(players, () -> forget(connection))) {
      context.bindings().remove(connection);
      returning.forget(connection);
    }
  }

  @Override
  public void playerConnected(PubKey player) {
    games.absentPlayers().playerConnected(player);
    players.changed(player);
    reminders.playerConnected(player);
    returning.connectionsChanged(player);
    lobby.presenceChanged(player);
  }

  @Override
  public void playerDisconnected(PubKey player) {
    searches.playerDisconnected(player);
    games.absentPlayers().playerDisconnected(player);
    players.changed(player);
    lobby.presenceChanged(player);
  }

  @Override
  public void connectionsChanged(PubKey player) {
    games.absentPlayers().connectionsChanged(player);
    returning.connectionsChanged(player);
  }

  @Override
  public void retry(PlayerRequest request) {
    handler.handle(request.submission(), request.interpreted(), request.legal());
  }

  @Override
  public void gameEnded(GameSession game, FinishedGame over, Optional<PubKey> leaver) {
    invites.gameEnded(game);
    rematches.gameEnded(game, over);
    leaver.ifPresent(player -> searches.searchAgain(game, player));
  }
}
