package gambit.chess.session.play;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Notice;
import gambit.chess.game.Proposal;
import gambit.chess.rules.Side;
import gambit.chess.session.journal.EndingRows;
import gambit.chess.session.journal.MissedEnding;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.feature.SubscriptionListener;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * What players get who come back: the game that they play, and the endings of those that ended
 * while they were away. A client that subscribes to a running game's player over a connection of
 * nobody's is asked to log in.
 *
 * <p>A login brings no numbered frames, and a client may log in before it subscribes. So what a
 * login leads to is tried again with each subscription of its connection, until it has been sent.
 *
 * <p>The chess lane's only; {@link #subscribed} may be called from any thread.
 */
public final class ReturningPlayers implements SubscriptionListener {
  /** How often a game is shown to a connection that no subscription of its own gives it to. */
  private static final int MAX_ATTEMPTS = 16;

  /** After how long a removal of rows is tried again that could not be committed. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  /** Rows that are removed by one commit, at most. */
  private static final int MAX_REMOVED = 500;

  private final SessionContext context;
  private final Games games;
  private final WaitingEndings endings;

  /** Connections on which something is still to be sent, and to whom. Any thread may look. */
  private final Map<ClientConnection, Set<PubKey>> owing = new ConcurrentHashMap<>();

  /** Attempts that are left to show the game after a login. */
  private final Map<Binding, Integer> shows = new HashMap<>();

  private final UnconfirmedSends<MissedEnding> sentEndings = new UnconfirmedSends<>();
  private final UnconfirmedSends<Binding> shownGames = new UnconfirmedSends<>();

  /** Rows that are to be removed and that no commit removes yet. */
  private final List<Row> obsolete = new ArrayList<>();

  private record Binding(PubKey player, ClientConnection connection) {}

  private record RemovalKey() {}

  public ReturningPlayers(SessionContext context, Games games, WaitingEndings endings) {
    this.context = context;
    this.games = games;
    this.endings = endings;
  }

  /** Resumes after a restart of the relay. */
  public void recover(Map<String, byte[]> rows) {
    endings.recover(rows);
    expire();
  }

  // ---- logins and subscriptions

  @Override
  public void subscribed(ClientConnection connection, List<Filter> filters) {
    if (connection.keys().isEmpty() && games.size() > 0 && concernsOthers(filters, connection)) {
      connection.requestLogin();
    }
    if (owing.containsKey(connection)) {
      context.timers().lane().execute(() -> send(connection));
    }
  }

  /** Whether a filter names a player of a game whose players this connection is not bound to. */
  private boolean concernsOthers(List<Filter> filters, ClientConnection connection) {
    for (Filter filter : filters) {
      for (PubKey author : filter.authors() == null ? Set.<PubKey>of() : filter.authors()) {
        if (concernsOthers(author, connection)) {
          return true;
        }
      }
      for (String key : filter.tags().getOrDefault('p', Set.of())) {
        if (concernsOthers(PubKey.ofHex(key), connection)) { // the reader takes nothing but keys
          return true;
        }
      }
    }
    return false;
  }

  private boolean concernsOthers(PubKey key, ClientConnection connection) {
    GameSession game = games.of(key);
    return game != null
        && game.players().stream().noneMatch(it -> context.bindings().isBound(it, connection));
  }

  /** A login has bound a connection to a player. */
  public void loggedIn(PubKey player, ClientConnection connection) {
    if (context.inboxes().isBusy(player)) {
      context.inboxes().await(player, () -> loggedIn(player, connection));
    } else if (context.bindings().isBound(player, connection)) {
      if (games.of(player) != null) {
        shows.put(new Binding(player, connection), MAX_ATTEMPTS);
      }
      send(player, connection);
    }
  }

  /** A player has sent a connect over a connection: what waits is sent before its answer. */
  public void connected(PubKey player, ClientConnection connection) {
    shows.remove(new Binding(player, connection)); // the answer shows the game
    send(player, connection);
  }

  /** A connection was closed. */
  public void forget(ClientConnection connection) {
    Set<PubKey> players = owing.remove(connection);
    if (players != null) {
      players.forEach(player -> shows.remove(new Binding(player, connection)));
    }
  }

  private void send(ClientConnection connection) {
    owing.getOrDefault(connection, Set.of()).forEach(player -> send(player, connection));
  }

  /** Sends a player what waits; it stays owing until it is known to have been sent. */
  private void send(PubKey player, ClientConnection connection) {
    expire();
    owe(player, connection); // before it is sent: a subscription may come in the meantime
    Announcements told = context.announce();
    for (MissedEnding ending : endings.of(player)) {
      if (sentEndings.begin(ending, () -> send(player, connection))) {
        Consumer<Boolean> settled = isSent -> settle(ending, connection, isSent);
        told.tell(player, connection, ending.notice(), onLane(settled));
      }
    }
    show(player, connection, told);
    context.commits().tell(told.outgoing());
  }

  /** Keeps in mind whether something is still to be sent to a player over a connection. */
  private void owe(PubKey player, ClientConnection connection) {
    Set<PubKey> players = new HashSet<>(owing.getOrDefault(connection, Set.of()));
    boolean owes =
        context.bindings().isBound(player, connection)
            && (shows.containsKey(new Binding(player, connection))
                || !endings.of(player).isEmpty());
    if (owes) {
      players.add(player);
    } else {
      players.remove(player);
    }
    if (players.isEmpty()) {
      owing.remove(connection);
    } else {
      owing.put(connection, Set.copyOf(players));
    }
  }

  // ---- the game that a player plays

  private void show(PubKey player, ClientConnection connection, Announcements told) {
    Binding binding = new Binding(player, connection);
    GameSession game = games.of(player);
    if (game == null) {
      shows.remove(binding);
    } else if (shows.containsKey(binding)
        && shownGames.begin(binding, () -> send(player, connection))) {
      shows.computeIfPresent(binding, (key, left) -> left > 1 ? left - 1 : null);
      Dialect dialect = game.ref().dialect(game.sideOf(player));
      show(player, connection, dialect, game, told, onLane(isSent -> shown(binding, isSent)));
      showProposal(player, connection, dialect, game, told);
    }
  }

  private void shown(Binding binding, boolean isSent) {
    if (isSent) {
      shows.remove(binding);
    }
    owe(binding.player(), binding.connection());
    shownGames.end(binding, isSent);
  }

  /**
   * Shows a player the game as it stands, on the connection that has come back to it.
   *
   * @param dialect in whose words
   */
  public void show(
      PubKey player,
      ClientConnection connection,
      Dialect dialect,
      GameSession game,
      Announcements told) {
    show(player, connection, dialect, game, told, isSent -> {});
  }

  private void show(
      PubKey player,
      ClientConnection connection,
      Dialect dialect,
      GameSession game,
      Announcements told,
      Consumer<Boolean> whetherSent) {
    GameRef ref = game.ref();
    Side side = game.sideOf(player);
    for (Notice notice : dialect.writer().started(ref, side, context.now())) {
      told.tell(player, Set.of(connection), framed(notice, ref, side));
    }
    Notice shown = dialect.writer().shown(ref, game.game(), side, context.now());
    told.tell(player, connection, framed(shown, ref, side), whetherSent);
  }

  /** Shows a player what the opponent proposes, if it stands. */
  public void showProposal(
      PubKey player,
      ClientConnection connection,
      Dialect dialect,
      GameSession game,
      Announcements told) {
    GameRef ref = game.ref();
    Side side = game.sideOf(player);
    Proposal proposal = game.game().proposal();
    if (proposal != null && proposal.by() != side) {
      boolean published = ref.dialect(proposal.by()) == dialect;
      for (Notice notice :
          dialect.writer().proposed(ref, proposal.kind(), published, context.now())) {
        told.tell(player, Set.of(connection), framed(notice, ref, side));
      }
    }
  }

  /** Numbered frames are for seats of the draft's dialect, whatever the event's dialect. */
  private static Notice framed(Notice notice, GameRef game, Side side) {
    return game.dialect(side).traits().hasNumberedFrames() ? notice : notice.unnumbered();
  }

  /** Asks for a login where a subscription names one of the game's players who is away. */
  public void missing(PubKey player, GameSession game) {
    Side side = game.sideOf(player);
    Notice shown =
        game.ref().dialect(side).writer().shown(game.ref(), game.game(), side, context.now());
    context.commits().tell(List.of(new Outgoing.SubscriptionCheck(shown.event())));
  }

  private Consumer<Boolean> onLane(Consumer<Boolean> then) {
    return result -> context.timers().lane().execute(() -> then.accept(result));
  }

  // ---- endings that wait

  /** An ending is committed whose player was away. */
  public void missed(MissedEnding ending) {
    expire();
    remove(endings.add(ending));
  }

  private void settle(MissedEnding ending, ClientConnection connection, boolean isSent) {
    if (isSent) {
      if (endings.remove(ending)) {
        remove(List.of(ending));
      }
      owe(ending.player(), connection);
    }
    sentEndings.end(ending, isSent);
  }

  private void expire() {
    remove(endings.expire(context.now()));
  }

  private void remove(List<MissedEnding> gone) {
    gone.forEach(ending -> obsolete.add(EndingRows.noRow(ending)));
    commitRemovals();
  }

  /** Removes rows of the store; one that cannot be removed now is removed later. */
  private void commitRemovals() {
    while (!obsolete.isEmpty()) {
      List<Row> part = obsolete.subList(0, Math.min(MAX_REMOVED, obsolete.size()));
      List<Row> rows = List.copyOf(part);
      part.clear();
      context
          .commits()
          .store(
              List.of(),
              new Commit(List.of(), List.of(), rows),
              List.of(),
              outcome -> List.of(),
              outcome -> {
                if (outcome != WriteOutcome.STORED) {
                  obsolete.addAll(rows);
                  context.timers().schedule(new RemovalKey(), RETRY, this::commitRemovals);
                }
              });
    }
  }
}
