package gambit.chess.session;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.JesterMessage;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.game.FinishedGame;
import gambit.chess.rules.LegalMove;
import gambit.chess.session.jester.JesterGames;
import gambit.chess.session.play.ChessMetrics;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.ConnectionBindings;
import gambit.chess.session.play.GameRows;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.play.Games;
import gambit.chess.session.play.KnownGames;
import gambit.chess.session.play.Lots;
import gambit.chess.session.play.PendingCommits;
import gambit.chess.session.play.PlayerRequest;
import gambit.chess.session.play.Presences;
import gambit.chess.session.play.Ratings;
import gambit.chess.session.play.Reminders;
import gambit.chess.session.play.ReturningPlayers;
import gambit.chess.session.play.ReturningPlayers.MissedEnding;
import gambit.chess.session.play.RunningGames;
import gambit.chess.session.play.SeenEvents;
import gambit.chess.session.play.SessionContext;
import gambit.chess.session.play.StoredRatings;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.Submission;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands players' events to the chess lane. Creates and connects the parts of the session manager.
 * Every event gets exactly one answer. Owned by the chess lane; what {@link LeadingReferee} calls
 * may be called from any thread.
 */
final class EventIntake implements Games.Listener, ConnectionBindings.PresenceListener {
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
  private final Presences presences;
  private final Reminders reminders;
  private final ReturningPlayers returning;
  private final RequestHandler handler;
  private boolean isOpen; // owned by the chess lane

  /**
   * Creates the session manager, and restores its state after a restart of the relay, or of the
   * node that has led a cluster.
   *
   * @param inForce the settings, of which some may change ({@link ChessSettings})
   * @param inbox hands a task of a connection's owners to the chess lane; false if its queue, or
   *     their share of it, is full
   * @param lane hands continuations to the chess lane, also if its queue is full
   * @param background runs what no game waits for, on another lane
   * @param isListening whether clients are connected already, so that clocks start at once
   */
  EventIntake(
      RelayBuilder relay,
      RefereeEvents events,
      List<Dialect> dialects,
      KnownGames known,
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
    this.context =
        new SessionContext(
            inForce,
            dialects,
            events,
            relay.time(),
            relay.deadlines(),
            this.lane,
            task -> relay.afterArrivals(() -> this.lane.execute(task)),
            ConcurrentHashMap.newKeySet(),
            bindings,
            new SeenEvents(settings.maxClockSkew(), relay.time()),
            new PendingCommits(relay.publisher(), this.lane),
            new StoredRatings(relay::row),
            metrics);
    this.presences = new Presences(context, known);
    RunningGames running = new RunningGames(known, presences);
    this.returning = new ReturningPlayers(context, running);
    this.ratings = new Ratings(context, relay);
    Lots lots = new Lots(context, source, relay::row, relay.storedEvents());
    this.reminders = new Reminders(context, running, relay, background);
    this.games = new Games(context, running, returning, ratings, lots, reminders, this);
    this.searches = new Searches(context, games, returning, relay::isRefused);
    this.invites = new Invites(context, games, searches, reminders, relay::isRefused, this::retry);
    this.rematches = new Rematches(context, games, invites, relay.storedEvents());
    this.jester = new JesterGames(context, relay);
    this.lobby = new LobbyState(context, games, searches.queues(), invites.pending(), jester);
    this.handler =
        new RequestHandler(
            context, relay, games, searches, invites, rematches, reminders, jester, this::open);
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
      games.recover(relay.rows(GameRows.TABLE), relay.rows(Reminders.ReminderRow.TABLE));
      returning.recover(relay.rows(MissedEnding.TABLE));
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
  void open() {
    if (!isOpen) {
      isOpen = true;
      games.resume();
    }
  }

  void subscribed(ClientConnection connection, List<Filter> filters) {
    games.timers().subscribed(connection, filters);
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

  /**
   * Handles a player's event.
   *
   * @param legal its legal move, if the relay waits for that; else null
   * @param isTaken whether it is handled even if the queue is full
   */
  void handle(
      Submission submission, PlayerEvent event, @Nullable LegalMove legal, boolean isTaken) {
    Runnable task = context.metrics().measured(() -> handler.handle(submission, event, legal));
    if (isTaken && !inbox.test(submission.connection().owners(), task)) {
      lane.execute(task); // bounded by the events under way
    } else if (!isTaken) {
      handOver(submission, task);
    }
  }

  boolean mayWithdraw(PubKey author) {
    return invites.pending().hasInvitesBy(author) || jester.hasGames(author);
  }

  void withdraw(Submission submission) {
    handOver(submission, () -> handler.withdraw(submission));
  }

  /** Handles an event of kind 30; it is read here, and judged on the chess lane. */
  void takeJester(Submission submission) {
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

  void closed(ClientConnection connection) {
    lane.execute(() -> forget(connection));
  }

  void authenticated(ClientConnection connection, PubKey key) {
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
    games.timers().playerConnected(player);
    presences.changed(player);
    reminders.playerConnected(player);
    returning.connectionsChanged(player);
    lobby.presenceChanged(player);
  }

  @Override
  public void playerDisconnected(PubKey player) {
    searches.playerDisconnected(player);
    games.timers().playerDisconnected(player);
    presences.changed(player);
    lobby.presenceChanged(player);
  }

  @Override
  public void connectionsChanged(PubKey player) {
    games.timers().connectionsChanged(player);
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
