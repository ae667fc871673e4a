package gambit.chess.session.play;

import gambit.chess.dialect.GameRef;
import gambit.chess.session.runtime.ConnectionBindings;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.ReadGuard;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.Hex;
import gambit.core.model.KindSet;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Hides spectators' comments on a running game from its players: events of kind 1 or 1111 (NIP-22)
 * that name the game in an {@code e} or {@code E} tag, whatever its marker. It applies before the
 * game is announced, and no longer when its end is. On a follower of a cluster, a connection's
 * players are those with whose keys it has logged in and those whose events were forwarded over it.
 * Any thread. Bound: {@link ConnectionBindings#MAX_BINDINGS} players of each open connection.
 */
public final class SpectatorCommentGuard implements ReadGuard {
  private static final KindSet COMMENTS = KindSet.of(1, 1111);

  private final KnownGames running;
  private final Map<ClientConnection, Set<PubKey>> forwarded = new ConcurrentHashMap<>();
  private volatile @Nullable ConnectionBindings bindings; // while this node leads

  SpectatorCommentGuard(KnownGames running) {
    this.running = running;
  }

  /** This node leads: its bindings count, too. */
  public void lead(ConnectionBindings bindings) {
    this.bindings = bindings;
  }

  /** A player's event was forwarded to the leader. */
  public void forwarded(PubKey player, ClientConnection connection) {
    Set<PubKey> before = forwarded.getOrDefault(connection, Set.of());
    if (before.contains(player) || before.size() >= ConnectionBindings.MAX_BINDINGS) {
      return;
    }
    forwarded.merge(connection, Set.of(player), SpectatorCommentGuard::union);
    if (!connection.isOpen()) {
      closed(connection);
    }
  }

  static <T> Set<T> union(Set<T> some, Set<T> others) {
    return Stream.concat(some.stream(), others.stream()).collect(Collectors.toUnmodifiableSet());
  }

  /** Whether any player's event was forwarded over a connection. */
  boolean hasForwarded(ClientConnection connection) {
    return forwarded.containsKey(connection);
  }

  /** A connection is closed. */
  public void closed(ClientConnection connection) {
    forwarded.remove(connection);
  }

  @Override
  public KindSet kinds() {
    return running.isEmpty() ? KindSet.NONE : COMMENTS;
  }

  @Override
  public boolean mayRead(Event event, ClientConnection reader) {
    if (running.isEmpty()) {
      return true;
    }
    List<List<String>> tags = event.tags().list();
    for (int i = 0; i < tags.size(); i++) {
      List<String> tag = tags.get(i);
      if (tag.size() > 1 && tag.get(0).equalsIgnoreCase("e") && Hex.isLowerCase(tag.get(1), 64)) {
        GameRef game = running.get(EventId.ofHex(tag.get(1)));
        if (game != null && !game.isPlayer(event.pubkey()) && isPlayer(reader, game)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean isPlayer(ClientConnection reader, GameRef game) {
    return is(reader, game.white().player()) || is(reader, game.black().player());
  }

  private boolean is(ClientConnection reader, PubKey player) {
    ConnectionBindings bindings = this.bindings;
    return reader.keys().contains(player)
        || (bindings != null && bindings.isBound(player, reader))
        || forwarded.getOrDefault(reader, Set.of()).contains(player);
  }

  @Override
  public boolean mayReadAll(ClientConnection reader) {
    return running.all().stream().noneMatch(game -> isPlayer(reader, game));
  }

  @Override
  public boolean mayFind(Filter filter, ClientConnection reader) {
    return true;
  }
}
