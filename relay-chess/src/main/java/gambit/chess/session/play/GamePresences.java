package gambit.chess.session.play;

import gambit.chess.dialect.GamePresence;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.RelayEvents;
import gambit.chess.rules.Side;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.ConnectionBindings;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.model.EventId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Publishes who is at each running game (kind 20306): whether its players are connected, and how
 * many connections watch. The first event of a game is published with it, changes at the next whole
 * second, together with all others before it, in portions of {@value #PORTION} games. Nothing is
 * signed unless somebody subscribes.
 *
 * <p>Owned by the chess lane, except for {@link #watchers}, whose changes come from the live lane.
 */
public final class GamePresences {
  private static final long SECOND = 1000;

  /** The maximum of games in one output. */
  static final int PORTION = 100;

  /** The key of the timer that publishes changes. */
  private record PublicationKey() {}

  private final SessionContext context;
  private final GameWatchers watchers;
  private final Map<EventId, RunningGame> games = new HashMap<>();

  /** The games to publish at the next whole second. Any thread; bounded by the running games. */
  private final Set<EventId> changed = ConcurrentHashMap.newKeySet();

  private final AtomicBoolean isScheduled = new AtomicBoolean();

  /** A running game, and its presence as it was published last. */
  private static final class RunningGame {
    private final GameRef ref;
    private long resumedAt;
    private final long[] awaySince = {GamePresence.PRESENT, GamePresence.PRESENT};
    private @Nullable GamePresence published;
    private boolean isCommitted;

    private RunningGame(GameSession session) {
      this.ref = session.ref();
      setResumedAt(session);
    }

    private void setResumedAt(GameSession session) {
      boolean isUntimed = session.game().control().isUntimed();
      resumedAt = isUntimed ? 0 : session.game().clock().resumedAt();
    }

    private void update(ConnectionBindings bindings, long now) {
      for (Side side : Side.values()) {
        if (bindings.isPresent(ref.player(side))) {
          awaySince[side.index()] = GamePresence.PRESENT;
        } else if (awaySince[side.index()] == GamePresence.PRESENT) {
          awaySince[side.index()] = now;
        }
      }
    }
  }

  public GamePresences(SessionContext context, GameWatchers watchers) {
    this.context = context;
    this.watchers = watchers;
    watchers.onChange(this::changed);
  }

  /** The connections that follow each game. */
  GameWatchers watchers() {
    return watchers;
  }

  /** Announces the presence at a game that begins when it is committed. */
  void announce(GameSession session, Announcements announcements) {
    watchers.gameStarted(session.id()); // before a client knows of the game
    publish(add(session)).forEach(announcements::add);
  }

  private RunningGame add(GameSession session) {
    RunningGame game = new RunningGame(session);
    games.put(session.id(), game);
    game.update(context.bindings(), context.now());
    return game;
  }

  /** A game runs: it was committed, or resumed after a restart. */
  void gameStarted(GameSession session) {
    RunningGame game = games.get(session.id());
    if (game == null) {
      game = add(session);
      context.commits().send(publish(game));
    } else {
      game.update(context.bindings(), context.now());
      if (!presence(game).equals(game.published)) {
        changed(session.id());
      }
    }
    game.isCommitted = true;
  }

  /** The clocks of a running game have been resumed. */
  void clocksResumed(GameSession session) {
    RunningGame game = games.get(session.id());
    if (game != null) {
      game.setResumedAt(session);
      changed(session.id());
    }
  }

  /** The players' connections have changed. */
  void connectionsChanged(GameSession session) {
    RunningGame game = games.get(session.id());
    if (game != null) {
      game.update(context.bindings(), context.now());
      changed(session.id());
    }
  }

  /** A game has ended, or could not begin. */
  void gameEnded(EventId id) {
    watchers.gameEnded(id);
    changed.remove(id);
    RunningGame game = games.remove(id);
    if (game != null && game.isCommitted) {
      context.send(new Outgoing.StateRemoval(id.hex(), RelayEvents.PRESENCE_KIND));
    }
  }

  /** Publishes a game at the next whole second. Any thread. */
  private void changed(EventId game) {
    changed.add(game);
    if (isScheduled.compareAndSet(false, true)) {
      long now = context.now();
      Duration wait = Duration.ofMillis(SECOND - now % SECOND);
      context.schedule(new PublicationKey(), wait, this::publishChanges);
    }
  }

  private void publishChanges() {
    isScheduled.set(false); // first, so that a change from now on is scheduled again
    publishPortions(List.copyOf(changed).iterator());
  }

  /** Publishes some of the changes, and the others after the tasks that wait for the lane. */
  private void publishPortions(Iterator<EventId> due) {
    List<Outgoing> outgoing = new ArrayList<>();
    for (int left = PORTION; left > 0 && due.hasNext(); left--) {
      EventId id = due.next();
      changed.remove(id);
      RunningGame game = games.get(id);
      if (game != null) {
        outgoing.addAll(publish(game));
      }
    }
    context.commits().send(outgoing);
    if (due.hasNext()) {
      context.lane().execute(() -> publishPortions(due));
    }
  }

  /** The event with the presence at a game, if it differs from the one published last. */
  private List<Outgoing> publish(RunningGame game) {
    GamePresence presence = presence(game);
    if (presence.equals(game.published)) {
      return List.of();
    }
    game.published = presence;
    GameRef ref = game.ref;
    long now = context.now();
    return List.of(
        new Outgoing.Current(
            ref.id().hex(),
            RelayEvents.PRESENCE_KIND,
            Set.of(ref.white().player(), ref.black().player()),
            () -> context.relay().presence(presence, now),
            false));
  }

  private GamePresence presence(RunningGame game) {
    List<ClientConnection> players = new ArrayList<>(2);
    for (Side side : Side.values()) {
      players.addAll(context.bindings().of(game.ref.player(side)));
    }
    return new GamePresence(
        game.ref,
        game.awaySince[Side.WHITE.index()],
        game.awaySince[Side.BLACK.index()],
        watchers.count(game.ref.id(), players),
        game.resumedAt);
  }
}
