package gambit.chess.session.play;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.rules.Side;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Publishes who is at each running game (kind 20306), which is whether its players are connected
 * and how many connections watch, and which players are here (kind 20308), for those who ask for
 * them by name. The first event of a game is published with it, changes at the next whole second,
 * together with all others before it. A player's change that is undone within its second is not
 * published. Nothing is signed unless somebody subscribes.
 *
 * <p>Memory: about 700 bytes for each player who is connected or plays, so it is bounded by the
 * bindings. Owned by the chess lane, except for the watchers, whose changes come from the live
 * lane.
 */
public final class Presences {
  /** The best that is true of a player. */
  private enum Status {
    /** In a running live game, connected or not. */
    PLAYING("playing"),
    /** A connection is bound to the player. */
    ONLINE("online"),
    OFFLINE("offline");

    private final String word;

    Status(String word) {
      this.word = word;
    }
  }

  /** The maximum of games or players in one output. */
  static final int PORTION = 100;

  private record PublicationKey() {}

  private record PlayersKey() {}

  private final SessionContext context;
  private final KnownGames known;
  private final Map<EventId, GameSession> games = new HashMap<>();
  private final Changes<EventId> changedGames; // any thread; bounded by the running games

  /** The players who are here, as published last. */
  private final Map<PubKey, Status> players = new HashMap<>();

  private final Changes<PubKey> changedPlayers;

  public Presences(SessionContext context, KnownGames known) {
    this.context = context;
    this.known = known;
    this.changedGames =
        new Changes<>(
            new PublicationKey(),
            ConcurrentHashMap.newKeySet(),
            id -> games.containsKey(id) ? publish(games.get(id)) : List.of());
    this.changedPlayers = new Changes<>(new PlayersKey(), new LinkedHashSet<>(), this::publish);
    known.watchers().onChange(changedGames::add);
  }

  /** Announces the presence at a game that begins when it is committed. */
  void announce(GameSession game, Announcements announcements) {
    known.watchers().gameStarted(game.id()); // before a client knows of the game
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
      changedGames.add(game.id());
    }
  }

  /** The players' connections have changed, or the clocks have been resumed. */
  void changed(GameSession game) {
    game.updatePresence(context.bindings(), context.now());
    changedGames.add(game.id());
  }

  /** A game has ended, or could not begin, and so was not running. */
  void gameEnded(EventId id, boolean wasRunning) {
    known.watchers().gameEnded(id);
    changedGames.items.remove(id);
    games.remove(id);
    if (wasRunning) {
      context.send(new Outgoing.StateRemoval(id.hex(), RefereeEvents.PRESENCE_KIND));
    }
  }

  /** The event with the presence at a game, if it differs from the one published last. */
  private List<Outgoing> publish(GameSession game) {
    GamePresence presence = presence(game);
    if (presence.equals(game.publishedPresence)) {
      return List.of();
    }
    game.publishedPresence = presence;
    Set<PubKey> players = Set.copyOf(game.players());
    return List.of(
        context.current(
            RefereeEvents.PRESENCE_KIND, game.id().hex(), players, presence.tags(), false));
  }

  private GamePresence presence(GameSession game) {
    List<ClientConnection> own = new ArrayList<>(2);
    game.players().forEach(player -> own.addAll(context.bindings().of(player)));
    return new GamePresence(
        game.ref(),
        game.awaySince(Side.WHITE),
        game.awaySince(Side.BLACK),
        known.watchers().count(game.id(), own),
        game.resumedAt());
  }

  /** A player has come or gone, or a game of the player has begun or ended. */
  public void changed(PubKey player) {
    changedPlayers.add(player);
  }

  private List<Outgoing> publish(PubKey player) {
    Status status = statusOf(player);
    boolean isGone = status == Status.OFFLINE;
    Status before = isGone ? players.remove(player) : players.put(player, status);
    if (status == (before == null ? Status.OFFLINE : before)) {
      return List.of();
    }
    List<List<String>> tags =
        List.of(
            List.of("d", player.hex()), List.of("p", player.hex()), List.of("status", status.word));
    return List.of(
        context.current(RefereeEvents.PLAYER_KIND, player.hex(), Set.of(player), tags, isGone));
  }

  private Status statusOf(PubKey player) {
    if (known.of(player).stream().anyMatch(game -> !game.isSlow())) {
      return Status.PLAYING;
    }
    return context.bindings().isPresent(player) ? Status.ONLINE : Status.OFFLINE;
  }

  /** The items to publish at the next whole second. */
  private final class Changes<T> {
    private final Object timerKey;
    private final Set<T> items;
    private final Function<T, List<Outgoing>> publish;

    Changes(Object timerKey, Set<T> items, Function<T, List<Outgoing>> publish) {
      this.timerKey = timerKey;
      this.items = items;
      this.publish = publish;
    }

    void add(T item) {
      items.add(item);
      context.publishAtWholeSecond(
          timerKey, 0, () -> publishPortions(List.copyOf(items).iterator()));
    }

    /** Publishes some of the changes, and the others after the tasks that wait for the lane. */
    private void publishPortions(Iterator<T> due) {
      List<Outgoing> outgoing = new ArrayList<>();
      for (int left = PORTION; left > 0 && due.hasNext(); left--) {
        T item = due.next();
        items.remove(item); // first, so that a change from now on is published again
        outgoing.addAll(publish.apply(item));
      }
      context.commits().send(outgoing);
      if (due.hasNext()) {
        context.lane().execute(() -> publishPortions(due));
      }
    }
  }

  /**
   * Who is at a running game (kind 20306). Times are epoch milliseconds. Immutable.
   *
   * @param whiteAwaySince the time since which White has no connection, or {@link #PRESENT}
   * @param watching the number of connections that follow the game, other than the players'
   * @param resumedAt the time at which the clocks were resumed after a restart of the relay; 0 if
   *     there was none, or if the game is untimed
   */
  record GamePresence(
      GameRef game, long whiteAwaySince, long blackAwaySince, int watching, long resumedAt) {
    /** The player has a bound connection. */
    static final long PRESENT = -1;

    List<List<String>> tags() {
      List<List<String>> tags = new ArrayList<>(7);
      tags.add(List.of("d", game.id().hex()));
      tags.add(List.of("p", game.white().player().hex()));
      tags.add(List.of("p", game.black().player().hex()));
      tags.add(tag(Side.WHITE, whiteAwaySince));
      tags.add(tag(Side.BLACK, blackAwaySince));
      tags.add(List.of("watching", "" + watching));
      if (resumedAt != 0) {
        tags.add(List.of("resumed", "" + resumedAt));
      }
      return tags;
    }

    private static List<String> tag(Side side, long awaySince) {
      String colour = RefereeEvents.colour(side);
      return awaySince == PRESENT
          ? List.of(colour, "present")
          : List.of(colour, "away", "" + awaySince / 1000);
    }
  }
}
