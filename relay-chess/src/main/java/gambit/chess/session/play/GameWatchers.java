package gambit.chess.session.play;

import gambit.chess.dialect.RefereeEvents;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.SubscriptionListener;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.Hex;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The connections that follow each running game: those with a subscription that names the game in
 * {@code #d} and kind 20302 or 20306 in {@code kinds}.
 *
 * <p>Of one connection, {@value #MAX_GAMES} games are counted, so that the memory is bounded by the
 * connections: about 6 KB each. {@link #opened} and {@link #closed} are called on the live lane,
 * the other methods on any thread.
 */
public final class GameWatchers implements SubscriptionListener {
  /** The maximum of games as whose watcher one connection is counted. */
  static final int MAX_GAMES = 32;

  /** The watchers of each running game; an empty immutable set until there is one. */
  private final Map<EventId, Set<ClientConnection>> byGame = new ConcurrentHashMap<>();

  /** By connection: the games, and how many subscriptions name each. The live lane's only. */
  private final Map<ClientConnection, Map<EventId, Integer>> byConnection = new HashMap<>();

  private volatile Consumer<EventId> changed = game -> {};

  /** Sets what receives a game whose watchers have changed, on the live lane. */
  void onChange(Consumer<EventId> changed) {
    this.changed = changed;
  }

  /** Subscriptions to a game count from now on: before the game is announced. */
  void gameStarted(EventId game) {
    byGame.putIfAbsent(game, Set.of());
  }

  void gameEnded(EventId game) {
    byGame.remove(game);
  }

  int count(EventId game, Collection<ClientConnection> except) {
    Set<ClientConnection> watchers = byGame.getOrDefault(game, Set.of());
    return watchers.size() - (int) except.stream().distinct().filter(watchers::contains).count();
  }

  @Override
  public void subscribed(ClientConnection connection, List<Filter> filters) {
    // opened() is called once for each subscription
  }

  @Override
  public void opened(ClientConnection connection, List<Filter> filters) {
    Set<EventId> named = runningGames(filters);
    if (named.isEmpty()) {
      return;
    }
    Map<EventId, Integer> own = byConnection.computeIfAbsent(connection, c -> new HashMap<>(2));
    if (own.size() + named.size() > MAX_GAMES) {
      own.keySet().retainAll(byGame.keySet()); // forgets games that have ended
    }
    for (EventId game : named) {
      if (byGame.containsKey(game) && (own.containsKey(game) || own.size() < MAX_GAMES)) {
        own.merge(game, 1, Integer::sum);
        add(game, connection);
      }
    }
  }

  private void add(EventId game, ClientConnection connection) {
    Set<ClientConnection> watchers =
        byGame.computeIfPresent(
            game, (id, before) -> before.isEmpty() ? ConcurrentHashMap.newKeySet() : before);
    if (watchers != null && watchers.add(connection)) {
      changed.accept(game);
    }
  }

  @Override
  public void closed(ClientConnection connection, List<Filter> filters) {
    Map<EventId, Integer> own = byConnection.get(connection);
    if (own == null) {
      return;
    }
    for (EventId game : followed(filters, own.keySet())) {
      Set<ClientConnection> watchers = byGame.get(game); // none once the game is over
      if (own.computeIfPresent(game, (id, count) -> count == 1 ? null : count - 1) == null
          && watchers != null
          && watchers.contains(connection)) {
        watchers.remove(connection);
        changed.accept(game);
      }
    }
    if (own.isEmpty()) {
      byConnection.remove(connection);
    }
  }

  boolean follow(List<Filter> filters) {
    return !runningGames(filters).isEmpty();
  }

  private Set<EventId> runningGames(List<Filter> filters) {
    return byGame.isEmpty() ? Set.of() : followed(filters, byGame.keySet());
  }

  /** The games, of those given, that filters follow. */
  private static Set<EventId> followed(List<Filter> filters, Set<EventId> games) {
    Set<EventId> named = new HashSet<>();
    for (Filter filter : filters) {
      Set<Integer> kinds = filter.kinds();
      if (kinds != null
          && (kinds.contains(RefereeEvents.STATE_KIND)
              || kinds.contains(RefereeEvents.PRESENCE_KIND))) {
        for (String id : filter.tags().getOrDefault('d', Set.of())) {
          if (Hex.isLowerCase(id, 64)) {
            named.add(EventId.ofHex(id));
          }
        }
      }
    }
    named.retainAll(games);
    return named;
  }
}
