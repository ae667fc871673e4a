package gambit.chess.session.play;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Notification;
import gambit.chess.dialect.RatedStart;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.dialect.Reply;
import gambit.chess.rating.Category;
import gambit.chess.rating.Glicko2;
import gambit.chess.rating.Rating;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.lane.Deadlines;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state and services that all parts of the session manager share; one for the relay. Owned by
 * the chess lane.
 *
 * @param afterArrivals runs a task on the chess lane, after every event that has arrived
 * @param scheduled the keys of publications to come; thread-safe
 * @param dialects all dialects; the first is the default for players who have sent nothing yet
 */
public record SessionContext(
    Supplier<ChessSettings> settingsInForce,
    List<Dialect> dialects,
    RefereeEvents relay,
    InstantSource time,
    Deadlines deadlines,
    Executor lane,
    Consumer<Runnable> afterArrivals,
    Set<Object> scheduled,
    ConnectionBindings bindings,
    SeenEvents seen,
    PendingCommits commits,
    StoredRatings ratings,
    ChessMetrics metrics) {

  public ChessSettings settings() {
    return settingsInForce.get();
  }

  /** The current time in epoch milliseconds. */
  public long now() {
    return time.millis();
  }

  /** A player's current rating, rounded. */
  public RatedStart.Strength strength(PubKey player, Category category) {
    Rating rating = ratings.of(player, category);
    return RatedStart.Strength.of(rating.rating(), Glicko2.deviationAt(rating, now() / 1000));
  }

  /** Runs a task on the chess lane after a delay; replaces an earlier task with the same key. */
  public void schedule(Object key, Duration delay, Runnable task) {
    deadlines.set(key, delay, () -> lane.execute(task));
  }

  /**
   * Runs a task on the chess lane at the first whole second after a rest, so that the time does not
   * show when exactly a change came; unless one with the same key is scheduled. Any thread.
   */
  public void publishAtWholeSecond(Object key, long restMillis, Runnable task) {
    if (scheduled.add(key)) {
      long millis = restMillis + 1000 - (now() + restMillis) % 1000;
      schedule(
          key,
          Duration.ofMillis(millis),
          () -> {
            scheduled.remove(key); // first, so that a change from now on is scheduled again
            task.run();
          });
    }
  }

  public PendingCommits.BusyPlayers busyPlayers() {
    return commits.busyPlayers();
  }

  public Announcements announce() {
    return new Announcements(bindings);
  }

  /** The current state of an object, which its tags state, as of now. */
  public Outgoing current(
      int kind, String key, Set<PubKey> about, List<List<String>> tags, boolean ends) {
    long now = now();
    return new Outgoing.Current(key, kind, about, () -> relay.current(kind, tags, now), ends);
  }

  public void send(Outgoing outgoing) {
    commits.send(List.of(outgoing));
  }

  /** Refuses a request, and remembers the refusal. */
  public void refuse(PlayerRequest request, Reason reason) {
    refuse(request.submission(), request.dialect(), reason, null);
  }

  /** Refuses an event by its OK, in whatever dialect, and remembers the refusal. */
  public void refuse(Submission submission, Reason reason) {
    refuse(submission, Reply.refused(reason), List.of());
  }

  /**
   * Refuses an event in the form of its dialect, about the author's game or none, and remembers it.
   */
  public void refuse(
      Submission submission, Dialect dialect, Reason reason, @Nullable GameRef game) {
    refuse(submission, dialect.refused(submission.event(), reason, game, now()), List.of());
  }

  /**
   * Refuses an event with a given answer. The answer is sent when the refusal is committed, so that
   * it is remembered after a restart, too. A refusal over an unbound connection is not committed,
   * since a stranger may have sent the event.
   */
  public void refuse(Submission submission, Reply reply, List<Notification> more) {
    Event event = submission.event();
    Announcements announcements = announce();
    announcements.reply(submission, reply);
    announcements.notifyAuthor(submission, more);
    List<Row> rows = remember(submission, reply);
    if (rows.isEmpty()) {
      commits.send(announcements.outgoing());
      return;
    }
    announcements.addRows(rows);
    commit( // a refusal has no effect to lose
        List.of(event.pubkey()), announcements, outcome -> announcements.outgoing(), outcome -> {});
  }

  /** Remembers a refusal; returns the rows to commit before it is sent. */
  private List<Row> remember(Submission submission, Reply reply) {
    Event event = submission.event();
    if (bindings.isBound(event.pubkey(), submission.connection())) {
      return seen.refused(event.id(), event.createdAt(), reply.refusal());
    } else if (reply.refusal() == null) {
      seen.refusedUnbound(event.id());
    }
    return List.of();
  }

  /**
   * Binds the connection of a request that is going to be granted to its player. If that fails, it
   * refuses the request and returns false.
   */
  public boolean bind(PlayerRequest request) {
    ClientConnection connection = request.submission().connection();
    if (!connection.isOpen() && !request.before().isBound()) {
      send(request.submission().refused(Reason.error("the connection is closed")));
      return false;
    }
    if (!bindings.bind(request.player(), connection)) {
      send(request.submission().refused(Reason.restricted("too many players on this connection")));
      return false;
    }
    bindings.recordDialect(request.player(), connection, request.dialect());
    return true;
  }

  /** Binds a connection that has logged in, at the maximum in place of one that has not. */
  public boolean bindAfterLogin(PubKey player, ClientConnection connection) {
    Set<ClientConnection> bound = bindings.of(player);
    if (bound.size() >= ConnectionBindings.MAX_BINDINGS) {
      bound.stream()
          .filter(it -> !it.keys().contains(player))
          .findFirst()
          .ifPresent(it -> bindings.unbind(player, it));
    }
    return bindings.bind(player, connection);
  }

  /** Restores the binding before a granted request that could not be committed. */
  public void unbind(PlayerRequest request) {
    ClientConnection connection = request.submission().connection();
    boolean hasLoggedIn =
        connection.keys().contains(request.player()); // possibly since the request
    if (!request.before().isBound() && !hasLoggedIn) {
      bindings.unbind(request.player(), connection);
    }
    bindings.restore(request.player(), connection, request.before());
  }

  /** The announcements of a granted request, which contain its answer. */
  public Announcements granted(PlayerRequest request) {
    Announcements announcements = announce();
    announcements.reply(
        request.submission(), request.dialect().granted(request.event(), List.of()));
    return announcements;
  }

  /**
   * Commits a granted request of a player without a game, and announces it after the commit.
   *
   * @param isSearch whether it begins a search
   */
  public void commit(
      PlayerRequest request,
      Announcements announcements,
      boolean isSearch,
      Runnable committed,
      Runnable failed) {
    if (!announcements.areStored()) {
      announcements.addRows(seen.rows(request.id(), null, isSearch));
    }
    commit(
        List.of(request.player()),
        announcements,
        request::refusals,
        outcome -> {
          if (outcome == WriteOutcome.STORED) {
            committed.run();
          } else {
            unbind(request);
            failed.run();
          }
        });
  }

  /** Commits what depends on the rows at the commit, for no player's request. */
  public void commit(Commit.Addition addition, Consumer<WriteOutcome> settled) {
    Announcements announcements = announce();
    announcements.addInCommit(addition, () -> {});
    commit(announcements, settled);
  }

  /** Commits something for which no player's request waits. */
  public void commit(Announcements announcements, Consumer<WriteOutcome> settled) {
    commit(List.of(), announcements, outcome -> List.of(), settled);
  }

  /** As {@link PendingCommits#store}. */
  public void commit(
      Collection<PubKey> about,
      Announcements announcements,
      Function<WriteOutcome, List<Outgoing>> instead,
      Consumer<WriteOutcome> settled) {
    commits.store(about, announcements, instead, settled);
  }
}
