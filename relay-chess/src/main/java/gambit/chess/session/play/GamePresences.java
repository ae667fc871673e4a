package gambit.chess.session.play;

import gambit.chess.dialect.GamePresence;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.rules.Side;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.model.EventId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Publishes who is at each running game (kind 20306): whether its players are connected, and how
 * many connections watch. The first event of a game is published with it, changes at the next whole
 * second, together with all others before it, in portions of {@value #PORTION} games. Nothing is
 * signed unless somebody subscribes.
 *
 * <p>Owned by the chess lane, except for {@link #watchers}, whose changes come from the live lane.
 */
public final class GamePresences {
  /** The maximum of games in one output. */
  static final int PORTION = 100;

  private record PublicationKey() {}

  private final SessionContext context;
  private final GameWatchers watchers;
  private final Map<EventId, GameSession> games = new HashMap<>();

  /** The games to publish at the next whole second. Any thread; bounded by the running games. */
  private final Set<EventId> changed = ConcurrentHashMap.newKeySet();

  private final AtomicBoolean isScheduled = new AtomicBoolean();

  public GamePresences(SessionContext context, GameWatchers watchers) {
    this.context = context;
    this.watchers = watchers;
    watchers.onChange(this::changed);
  }

  /** Announces the presence at a game that begins when it is committed. */
  void announce(GameSession game, Announcements announcements) {
    watchers.gameStarted(game.id()); // before a client knows of the game
    add(game);
    announcements.addAll(publish(game));
  }

  private void add(GameSession game) {
    games.put(game.id(), game);
    game.updatePresence(context.bindings(), context.now());
  }

  /** A game runs: it was committed, or resumed after a restart. */
  void gameStarted(GameSession game) {
    if (!games.containsKey(game.id())) {
      add(game);
      context.commits().send(publish(game));
      return;
    }
    game.updatePresence(context.bindings(), context.now());
    if (!presence(game).equals(game.publishedPresence)) {
      changed(game.id());
    }
  }

  /** The players' connections have changed, or the clocks have been resumed. */
  void changed(GameSession game) {
    game.updatePresence(context.bindings(), context.now());
    changed(game.id());
  }

  /** A game has ended, or could not begin, and so was not running. */
  void gameEnded(EventId id, boolean wasRunning) {
    watchers.gameEnded(id);
    changed.remove(id);
    games.remove(id);
    if (wasRunning) {
      context.send(new Outgoing.StateRemoval(id.hex(), RefereeEvents.PRESENCE_KIND));
    }
  }

  /** Publishes a game at the next whole second. Any thread. */
  private void changed(EventId game) {
    changed.add(game);
    if (isScheduled.compareAndSet(false, true)) {
      context.scheduleAtWholeSecond(new PublicationKey(), 0, this::publishChanges);
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
      GameSession game = games.get(id);
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
  private List<Outgoing> publish(GameSession game) {
    GamePresence presence = presence(game);
    if (presence.equals(game.publishedPresence)) {
      return List.of();
    }
    game.publishedPresence = presence;
    GameRef ref = game.ref();
    long now = context.now();
    return List.of(
        new Outgoing.Current(
            ref.id().hex(),
            RefereeEvents.PRESENCE_KIND,
            Set.of(ref.white().player(), ref.black().player()),
            () -> context.relay().current(RefereeEvents.PRESENCE_KIND, presence.tags(), now),
            false));
  }

  private GamePresence presence(GameSession game) {
    List<ClientConnection> players = new ArrayList<>(2);
    for (Side side : Side.values()) {
      players.addAll(context.bindings().of(game.ref().player(side)));
    }
    return new GamePresence(
        game.ref(),
        game.awaySince(Side.WHITE),
        game.awaySince(Side.BLACK),
        watchers.count(game.id(), players),
        game.resumedAt());
  }
}
