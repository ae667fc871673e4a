package gambit.chess.session.play;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.rules.Side;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.StoredEvents;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The running games and their players, as every node of a cluster needs them for its own clients,
 * whether it leads or follows: from before a game is announced until its end is committed, which is
 * before its end is announced. While the node follows, it learns of games by their rows; then the
 * leader's {@link Games} tell of them. Any thread; one entry for each game, and one for each
 * player.
 */
public final class KnownGames {
  private final Map<EventId, GameRef> byId = new ConcurrentHashMap<>();
  private final Map<PubKey, Set<GameRef>> byPlayer = new ConcurrentHashMap<>(); // immutable sets
  private final GameWatchers watchers = new GameWatchers();
  private final CommentGuard commentGuard = new CommentGuard(this);
  private final AwaitedMoves awaited = new AwaitedMoves(this);
  private final GameRows gameRows;

  public KnownGames(List<Dialect> dialects) {
    this.gameRows = new GameRows(dialects);
  }

  public AwaitedMoves awaited() {
    return awaited;
  }

  public GameWatchers watchers() {
    return watchers;
  }

  public CommentGuard commentGuard() {
    return commentGuard;
  }

  /** This node begins to lead: its {@link Games} await moves, and its bindings hide comments. */
  public void lead(ConnectionBindings bindings) {
    commentGuard.lead(bindings);
    awaited.clear();
  }

  /** The first event of a game, if the store has it, whichever relay has refereed it. */
  public static Optional<Event> firstEvent(StoredEvents stored, String game) {
    return Hex.isLowerCase(game, 64)
        ? stored.find(EventId.ofHex(game)).filter(RefereeEvents::isFirstOfGame)
        : Optional.empty();
  }

  boolean isEmpty() {
    return byId.isEmpty();
  }

  @Nullable GameRef get(EventId id) {
    return byId.get(id);
  }

  Collection<GameRef> all() {
    return byId.values();
  }

  /** The running games of a player, and those that are being committed. */
  public Set<GameRef> of(PubKey player) {
    return byPlayer.getOrDefault(player, Set.of());
  }

  /** The keys that a filter names as authors or in {@code p} tags. */
  static Stream<PubKey> named(Filter filter) {
    Stream<String> tagged = filter.tags().getOrDefault('p', Set.of()).stream();
    return Stream.concat(
        filter.authors() == null ? Stream.empty() : filter.authors().stream(),
        tagged.map(PubKey::ofHex)); // the parser of filters has checked it
  }

  /**
   * Whether the leader of a cluster must know of a subscription: it is a player's, or names a
   * running game or a player of one.
   */
  public boolean concernLeader(ClientConnection connection, List<Filter> filters) {
    return !connection.keys().isEmpty()
        || commentGuard.hasForwarded(connection)
        || watchers.follow(filters)
        || (!isEmpty()
            && filters.stream().flatMap(KnownGames::named).anyMatch(byPlayer::containsKey));
  }

  /**
   * Follows the leader of a cluster: adds the stored games, and those that begin until this node
   * leads. Called during installation, before rows can change.
   */
  public void follow(RelayBuilder relay) {
    relay.listenToRows(GameRows.TABLE, changed -> changed.forEach(this::rowChanged));
    relay.rows(GameRows.TABLE).forEach((key, row) -> rowChanged(key, Optional.of(row)));
  }

  private void rowChanged(String key, Optional<byte[]> row) {
    if (row.isPresent()) {
      gameRows.gameIn(key, row.get()).ifPresent(this::gameStarted);
      GameRows.turnIn(key, row.get())
          .ifPresent(it -> awaited.gameFollowed(EventId.ofHex(key), it.plies(), it.turn()));
    } else {
      GameRows.gameOf(key).ifPresent(this::gameEnded);
      GameRows.gameOf(key).ifPresent(watchers::gameEnded);
    }
  }

  /** A game is about to be announced; one that is known already counts once. */
  void gameStarted(GameRef game) {
    watchers.gameStarted(game.id());
    byId.put(game.id(), game);
    for (Side side : Side.values()) {
      byPlayer.merge(game.player(side), Set.of(game), CommentGuard::union);
    }
  }

  /** The end of a game is committed, and about to be announced. */
  void gameEnded(EventId id) {
    awaited.gameEnded(id);
    GameRef game = byId.remove(id);
    if (game != null) {
      for (Side side : Side.values()) {
        byPlayer.computeIfPresent(game.player(side), (player, own) -> without(own, game));
      }
    }
  }

  private static @Nullable Set<GameRef> without(Set<GameRef> own, GameRef game) {
    Set<GameRef> rest = new HashSet<>(own);
    rest.remove(game);
    return rest.isEmpty() ? null : Set.copyOf(rest);
  }
}
