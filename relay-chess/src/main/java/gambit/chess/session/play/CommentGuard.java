package gambit.chess.session.play;

import gambit.chess.dialect.GameRef;
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
 * Hides spectators' comments on a running game from its players, and the players' from all others:
 * events of kind 1 or 1111 (NIP-22) that name the game in an {@code e} or {@code E} tag, whatever
 * its marker. It applies before the game is announced, and no longer when its end is.
 *
 * <p>A connection is a player's if it is bound to the player or has logged in with the player's
 * key. A follower of a cluster, which does not know the bindings, hides spectators' comments also
 * from connections over which an event of a player was forwarded, and players' from all that have
 * not logged in, since anybody can send another's event again.
 *
 * <p>Any thread. Bound: {@link ConnectionBindings#MAX_BINDINGS} players of each open connection.
 */
public final class CommentGuard implements ReadGuard {
  private static final KindSet NOTES_AND_COMMENTS = KindSet.of(1, 1111);
  private static final KindSet COMMENTS = KindSet.of(1111);

  private final KnownGames running;
  private final Map<ClientConnection, Set<PubKey>> forwarded = new ConcurrentHashMap<>();
  private volatile @Nullable ConnectionBindings bindings; // while this node leads

  CommentGuard(KnownGames running) {
    this.running = running;
  }

  /** This node leads: its bindings count, too. */
  public void lead(ConnectionBindings bindings) {
    this.bindings = bindings;
  }

  public void forwarded(PubKey player, ClientConnection connection) {
    Set<PubKey> before = forwarded.getOrDefault(connection, Set.of());
    if (before.contains(player) || before.size() >= ConnectionBindings.MAX_BINDINGS) {
      return;
    }
    forwarded.merge(connection, Set.of(player), CommentGuard::union);
    if (!connection.isOpen()) {
      closed(connection);
    }
  }

  static <T> Set<T> union(Set<T> some, Set<T> others) {
    return Stream.concat(some.stream(), others.stream()).collect(Collectors.toUnmodifiableSet());
  }

  boolean hasForwarded(ClientConnection connection) {
    return forwarded.containsKey(connection);
  }

  public void closed(ClientConnection connection) {
    forwarded.remove(connection);
  }

  @Override
  public KindSet kinds() {
    return running.isEmpty() ? KindSet.NONE : NOTES_AND_COMMENTS;
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
        if (game != null
            && (game.isPlayer(event.pubkey())
                ? !isPlayer(reader, game)
                : isPlayer(reader, game) || hasForwarded(reader, game))) {
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
    return reader.keys().contains(player) || (bindings != null && bindings.isBound(player, reader));
  }

  private boolean hasForwarded(ClientConnection reader, GameRef game) {
    Set<PubKey> players = forwarded.getOrDefault(reader, Set.of());
    return players.contains(game.white().player()) || players.contains(game.black().player());
  }

  /**
   * For readers who do not play, a sync of notes (kind 1) may tell the ids of those by players,
   * since a relay can have too many notes to list.
   */
  @Override
  public KindSet partlyHidden(ClientConnection reader) {
    boolean isSpectator =
        running.all().stream()
            .noneMatch(game -> isPlayer(reader, game) || hasForwarded(reader, game));
    return isSpectator && !running.isEmpty() ? COMMENTS : kinds();
  }

  @Override
  public boolean mayFind(Filter filter, ClientConnection reader) {
    return true;
  }
}
