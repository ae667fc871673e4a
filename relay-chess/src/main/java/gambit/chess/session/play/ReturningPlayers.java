package gambit.chess.session.play;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Notification;
import gambit.chess.game.Proposal;
import gambit.chess.rules.Side;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Row;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PackedEvent;
import gambit.core.model.PubKey;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Sends players who return what they have missed: their running games, together with their {@link
 * MissedEndings}. An ending is kept until it has been sent, at most for a time; its row is
 * committed with it.
 *
 * <p>A login enables no numbered frames, and a client may log in before it subscribes. So after a
 * login, sending is tried again with each subscription of the connection, until it succeeds.
 *
 * <p>Owned by the chess lane; {@link #subscribed} may be called from any thread.
 */
public final class ReturningPlayers {
  /** The maximum of attempts to show a game to a connection whose subscriptions do not match it. */
  private static final int MAX_ATTEMPTS = 16;

  private static final Duration KEPT_FOR = Duration.ofDays(1);

  /** As long as a player may think about a move. */
  private static final Duration SLOW_KEPT_FOR = Duration.ofDays(30);

  /** The time after which a removal of rows that could not be committed is tried again. */
  private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

  /** The maximum of rows that one commit removes. */
  private static final int MAX_REMOVED_ROWS = 500;

  private final SessionContext context;
  private final RunningGames running;
  private final MissedEndings endings;
  private final UnconfirmedSends<MissedEnding> sentEndings = new UnconfirmedSends<>();

  /** The rows that must be removed and that no pending commit removes. */
  private final List<Row> obsolete = new ArrayList<>();

  private record RemovalKey() {}

  /** The connections on which something must still be sent. Read by any thread. */
  private final Set<ClientConnection> unsent = ConcurrentHashMap.newKeySet();

  /**
   * By connection: the running games that must still be shown to its players after a login, and the
   * remaining attempts. A game that has ended meanwhile stays until the connection closes, so the
   * entries are bounded by the games that ran when its players logged in.
   */
  private final Map<ClientConnection, Map<ShownGame, Integer>> unshown = new HashMap<>();

  private final UnconfirmedSends<ShownGame> shownGames = new UnconfirmedSends<>();

  private record ShownGame(PubKey player, ClientConnection connection, EventId game) {}

  /** The sends that wait for a commit, at most one for each player and connection. */
  private final Set<Waiting> waiting = new HashSet<>();

  private record Waiting(PubKey player, ClientConnection connection) {}

  public ReturningPlayers(SessionContext context, RunningGames running) {
    this.context = context;
    this.running = running;
    this.endings = new MissedEndings(player -> context.settings().maxGamesOf(player));
  }

  /** The time for which an ending of a game waits for its player. */
  public static Duration keptFor(GameRef game) {
    return game.isSlow() ? SLOW_KEPT_FOR : KEPT_FOR;
  }

  public void recover(Map<String, byte[]> rows) {
    endings.recover(rows);
    expire();
  }

  /** Sends an ending on all connections of its player, on none of which it was queued. */
  private void send(MissedEnding ending, Announcements announcements) {
    if (sentEndings.begin(ending, () -> send(ending))) {
      announcements.notifyPlayer(
          ending.player(),
          context.bindings().of(ending.player()),
          ending.notice(),
          isSent -> context.lane().execute(() -> settle(ending, isSent)));
    }
  }

  private void send(MissedEnding ending) {
    Announcements announcements = context.announce();
    send(ending, announcements);
    context.commits().send(announcements.outgoing());
  }

  /** Keeps the committed ending of a game until it is queued on a connection of its player. */
  void endingCommitted(MissedEnding ending) {
    expire();
    remove(endings.add(ending));
    sentEndings.begin(ending, () -> {});
  }

  /**
   * Whether the frame with the ending of a game was queued on any open connection of its player. If
   * not, it is sent once more, since the player may have subscribed meanwhile. Any thread.
   */
  void endingSent(MissedEnding ending, boolean isSent) {
    context.lane().execute(() -> endingSentNow(ending, isSent));
  }

  private void endingSentNow(MissedEnding ending, boolean isSent) {
    PubKey player = ending.player();
    Set<PubKey> waitsFor = Set.of(player); // with the commit of the ending, until it is settled
    if (context.busyPlayers().awaitIfBusy(waitsFor, () -> endingSentNow(ending, isSent))) {
      return;
    }
    settle(ending, isSent);
    if (!isSent && context.bindings().isPresent(player)) {
      send(ending);
    }
  }

  private void settle(MissedEnding ending, boolean isSent) {
    if (isSent && endings.remove(ending)) {
      remove(List.of(ending));
    }
    context.bindings().of(ending.player()).forEach(this::updateUnsent);
    sentEndings.end(ending, isSent);
  }

  private void expire() {
    remove(endings.expire(context.now()));
  }

  private void remove(List<MissedEnding> gone) {
    gone.forEach(ending -> obsolete.add(ending.removal()));
    commitRemovals();
  }

  /** Removes obsolete rows; after a failure, it tries again later. */
  private void commitRemovals() {
    while (!obsolete.isEmpty()) {
      List<Row> part = obsolete.subList(0, Math.min(MAX_REMOVED_ROWS, obsolete.size()));
      List<Row> rows = List.copyOf(part);
      part.clear();
      Announcements removals = context.announce();
      removals.addRows(rows);
      context.commit(
          removals,
          outcome -> {
            if (outcome != WriteOutcome.STORED) {
              obsolete.addAll(rows);
              context.schedule(new RemovalKey(), RETRY_DELAY, this::commitRemovals);
            }
          });
    }
  }

  /** A connection has subscribed: what it could not get before is tried again. Any thread. */
  public void subscribed(ClientConnection connection) {
    if (unsent.contains(connection)) {
      context.lane().execute(() -> send(connection));
    }
  }

  public void loggedIn(PubKey player, ClientConnection connection) {
    Set<PubKey> waitsFor = Set.of(player);
    if (!context.busyPlayers().awaitIfBusy(waitsFor, () -> loggedIn(player, connection))
        && context.bindings().isBound(player, connection)) {
      for (GameSession game : running.of(player)) {
        unshown
            .computeIfAbsent(connection, it -> new HashMap<>(2))
            .put(new ShownGame(player, connection, game.id()), MAX_ATTEMPTS);
      }
      send(player, connection);
    }
  }

  private void removeUnshown(ClientConnection connection, Predicate<ShownGame> isGone) {
    unshown.computeIfPresent(
        connection,
        (same, games) -> {
          games.keySet().removeIf(isGone);
          return games.isEmpty() ? null : games;
        });
  }

  /** Sends what a player has missed, before a connect of the player is answered. */
  public void connected(PubKey player, ClientConnection connection, List<GameSession> shown) {
    Set<EventId> ids = shown.stream().map(GameSession::id).collect(Collectors.toSet());
    removeUnshown(connection, it -> it.player().equals(player) && ids.contains(it.game()));
    send(player, connection);
  }

  /** A player has one connection more or fewer, perhaps by an event of any kind. */
  public void connectionsChanged(PubKey player) {
    if (!endings.of(player).isEmpty()) {
      context // after what has bound it
          .lane()
          .execute(() -> Set.copyOf(context.bindings().of(player)).forEach(it -> send(player, it)));
    }
  }

  public void forget(ClientConnection connection) {
    unsent.remove(connection);
    unshown.remove(connection);
  }

  private void send(ClientConnection connection) {
    for (PubKey player : context.bindings().playersOf(connection)) {
      if (isOwed(player, connection)) {
        send(player, connection);
      }
    }
  }

  /** Whether something must still be sent to a player over a connection. */
  private boolean isOwed(PubKey player, ClientConnection connection) {
    Map<ShownGame, Integer> own = unshown.getOrDefault(connection, Map.of());
    return !endings.of(player).isEmpty()
        || running.of(player).stream()
            .anyMatch(game -> own.containsKey(new ShownGame(player, connection, game.id())));
  }

  /**
   * Sends what a player has missed; it stays unsent until a send is confirmed. While a step of the
   * player's games is being committed, it waits, since the step may be shown before this output.
   */
  private void send(PubKey player, ClientConnection connection) {
    if (context.busyPlayers().contains(player)) {
      if (waiting.add(new Waiting(player, connection))) {
        context.busyPlayers().await(player, () -> sendAfterCommit(player, connection));
      }
      return;
    }
    expire();
    updateUnsent(connection); // first, since the connection may subscribe meanwhile
    Announcements announcements = context.announce();
    endings.of(player).forEach(ending -> send(ending, announcements)); // the oldest first
    show(player, connection, announcements);
    context.commits().send(announcements.outgoing());
  }

  private void sendAfterCommit(PubKey player, ClientConnection connection) {
    waiting.remove(new Waiting(player, connection));
    send(player, connection);
  }

  private void updateUnsent(ClientConnection connection) {
    boolean isOwed =
        context.bindings().playersOf(connection).stream().anyMatch(it -> isOwed(it, connection));
    if (isOwed) {
      unsent.add(connection);
    } else {
      unsent.remove(connection);
    }
  }

  /** Shows a player those running games that must still be shown after a login. */
  private void show(PubKey player, ClientConnection connection, Announcements announcements) {
    Map<ShownGame, Integer> own = unshown.getOrDefault(connection, Map.of());
    for (GameSession game : running.of(player)) {
      ShownGame shown = new ShownGame(player, connection, game.id());
      if (own.containsKey(shown) && shownGames.begin(shown, () -> send(player, connection))) {
        own.computeIfPresent(shown, (same, left) -> left > 1 ? left - 1 : null);
        Dialect dialect = game.ref().dialect(game.sideOf(player));
        Consumer<Boolean> settled = isSent -> context.lane().execute(() -> shown(shown, isSent));
        show(player, connection, dialect, game, announcements, settled);
        showProposal(player, connection, dialect, game, announcements);
      }
    }
  }

  private void shown(ShownGame game, boolean isSent) {
    if (isSent) {
      removeUnshown(game.connection(), game::equals);
    }
    updateUnsent(game.connection());
    shownGames.end(game, isSent);
  }

  /** Shows a player the current state of the game on one connection, in some dialect. */
  public void show(
      PubKey player,
      ClientConnection connection,
      Dialect dialect,
      GameSession game,
      Announcements announcements,
      Consumer<Boolean> whetherSent) {
    GameRef ref = game.ref();
    Side side = game.sideOf(player);
    for (Notification notice : dialect.started(ref, side, context.now())) {
      announcements.notifyPlayer(player, Set.of(connection), framed(notice, ref, side));
    }
    Notification shown = dialect.shown(ref, game.game(), side, context.now());
    announcements.notifyPlayer(player, Set.of(connection), framed(shown, ref, side), whetherSent);
  }

  /** Shows a player the opponent's open proposal, if there is one. */
  public void showProposal(
      PubKey player,
      ClientConnection connection,
      Dialect dialect,
      GameSession game,
      Announcements announcements) {
    GameRef ref = game.ref();
    Side side = game.sideOf(player);
    Proposal proposal = game.game().proposal();
    if (proposal != null && proposal.by() != side) {
      boolean published = ref.dialect(proposal.by()) == dialect;
      for (Notification notice : dialect.proposed(ref, proposal.type(), published, context.now())) {
        announcements.notifyPlayer(player, Set.of(connection), framed(notice, ref, side));
      }
    }
  }

  /** Numbered frames depend on the dialect of the player's seat, not on the notification's. */
  private static Notification framed(Notification notice, GameRef game, Side side) {
    return game.dialect(side).hasNumberedFrames() ? notice : notice.unnumbered();
  }

  /**
   * The sends whose result is not known yet. An item is not sent again until the result of its last
   * send is known. One entry for each send.
   */
  static final class UnconfirmedSends<T> {
    private final Map<T, Optional<Runnable>> sends = new HashMap<>();

    /**
     * Begins a send; false if one of the same item is unconfirmed: {@code again} runs if that one
     * reaches nobody, unless it is replaced by a later one.
     */
    boolean begin(T item, Runnable again) {
      if (sends.putIfAbsent(item, Optional.empty()) == null) {
        return true;
      }
      sends.put(item, Optional.of(again));
      return false;
    }

    /** Ends a send. If it has reached nobody, another one that was requested since begins. */
    void end(T item, boolean isSent) {
      Optional<Runnable> again = sends.remove(item);
      if (!isSent && again != null) {
        again.ifPresent(Runnable::run);
      }
    }
  }

  /**
   * The endings of games that are not known to have reached their player, who was away, had not
   * subscribed, or lost the connection together with the relay. Beyond {@value #MAX_ENDINGS} in
   * all, the one that is kept least long is dropped; beyond {@value #MAX_OF_PLAYER} of one player
   * (or as many as the player may have games at once), the oldest. Each has a row of the store,
   * which the owner removes. Owned by the chess lane.
   */
  static final class MissedEndings {
    public static final int MAX_ENDINGS = 10_000;
    public static final int MAX_OF_PLAYER = 16;

    private final Map<PubKey, Set<MissedEnding>> byPlayer = new HashMap<>();
    private final SortedSet<MissedEnding> all = // the one that is kept least long first
        new TreeSet<>(
            Comparator.comparingLong(MissedEnding::until)
                .thenComparing(MissedEnding::player)
                .thenComparing(MissedEnding::game));
    private final ToIntFunction<PubKey> maxGames;

    MissedEndings(ToIntFunction<PubKey> maxGames) {
      this.maxGames = maxGames;
    }

    void recover(Map<String, byte[]> rows) {
      List<MissedEnding> endings = new ArrayList<>();
      rows.forEach((key, value) -> endings.add(MissedEnding.read(key, value)));
      endings.sort(Comparator.comparingLong(MissedEnding::until));
      endings.forEach(this::put);
    }

    /** Adds an ending whose row is committed; returns those that are dropped in exchange. */
    List<MissedEnding> add(MissedEnding ending) {
      put(ending);
      List<MissedEnding> dropped = new ArrayList<>();
      List<MissedEnding> own = of(ending.player());
      if (own.size() > Math.max(MAX_OF_PLAYER, maxGames.applyAsInt(ending.player()))) {
        dropped.add(own.get(0));
      } else if (all.size() > MAX_ENDINGS) {
        dropped.add(all.first());
      }
      dropped.forEach(this::remove);
      return dropped;
    }

    private void put(MissedEnding ending) {
      all.add(ending);
      byPlayer.computeIfAbsent(ending.player(), player -> new LinkedHashSet<>(2)).add(ending);
    }

    /** Removes an ending; the caller removes its row. False if it was removed before. */
    boolean remove(MissedEnding ending) {
      Set<MissedEnding> own = byPlayer.get(ending.player());
      if (own == null || !own.remove(ending)) {
        return false;
      }
      all.remove(ending);
      if (own.isEmpty()) {
        byPlayer.remove(ending.player());
      }
      return true;
    }

    /** Removes and returns the expired endings. */
    List<MissedEnding> expire(long now) {
      List<MissedEnding> expired = all.stream().takeWhile(ending -> ending.until() <= now).toList();
      expired.forEach(this::remove);
      return expired;
    }

    /** A player's endings, the oldest first. */
    List<MissedEnding> of(PubKey player) {
      return List.copyOf(byPlayer.getOrDefault(player, Set.of()));
    }
  }

  /**
   * The ending of a game, for a player whom it is not known to have reached; each has a row.
   * Immutable.
   *
   * @param notice the player's notification, in the dialect of the player's seat
   * @param until the time at which it expires, in epoch milliseconds
   */
  public record MissedEnding(PubKey player, EventId game, Notification notice, long until) {
    public static final String TABLE = "chess.endings";

    private static final int NO_NUMBER = -1;
    private static final int KEY_PART_HEX = 2 * RowCodes.ID;

    public Row row() {
      Event event = notice.event();
      Integer number = notice.number();
      ByteBuffer out =
          ByteBuffer.allocate(1 + Long.BYTES + Integer.BYTES + PackedEvent.sizeInBytes(event));
      out.put(RowCodes.FORMAT).putLong(until).putInt(number == null ? NO_NUMBER : number);
      PackedEvent.pack(event, out);
      return new Row(TABLE, key(), out.array());
    }

    public Row removal() {
      return new Row(TABLE, key(), null);
    }

    private byte[] key() {
      return ByteBuffer.allocate(2 * RowCodes.ID).put(player.bytes()).put(game.bytes()).array();
    }

    public static MissedEnding read(String key, byte[] value) {
      return RowCodes.read(
          "ending",
          key,
          value,
          in -> {
            long until = in.getLong();
            int number = in.getInt();
            Event event = PackedEvent.unpack(in, in.position(), in.remaining());
            return new MissedEnding(
                PubKey.ofHex(key.substring(0, KEY_PART_HEX)),
                EventId.ofHex(key.substring(KEY_PART_HEX)),
                new Notification(event, number == NO_NUMBER ? null : number),
                until);
          });
    }
  }
}
