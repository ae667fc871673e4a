package gambit.chess.session;

import gambit.chess.game.Lobby;
import gambit.chess.game.Pair;
import gambit.core.model.PubKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Who looks for a game, and the {@code connect} events of each. The chess lane's only; bounded by
 * the connections, since a searcher leaves with the last one.
 */
final class Searches {

  /** A player who has been paired, and the events that are to be told the colour. */
  record Paired(PubKey player, Connects connects) {}

  private final Lobby<PubKey> lobby = new Lobby<>();
  private final Map<PubKey, Connects> connects = new HashMap<>();

  /**
   * Puts a player at the end of the queue; false, and the place is kept, if it searches already.
   */
  boolean begin(PubKey player) {
    connects.computeIfAbsent(player, p -> new Connects());
    return lobby.search(player);
  }

  /** Puts a player at the front of the queue, not to meet somebody before a time. */
  void beginFirst(PubKey player, Connects own, PubKey notWith, long until) {
    connects.put(player, own);
    lobby.searchFirst(player, notWith, until);
  }

  void leave(PubKey player) {
    lobby.leave(player);
    connects.remove(player);
  }

  boolean contains(PubKey player) {
    return lobby.isSearching(player);
  }

  int size() {
    return lobby.size();
  }

  /** The events of a player who searches. */
  Connects connectsOf(PubKey player) {
    return Objects.requireNonNull(connects.get(player));
  }

  /** Tells whether these are the events of a search that goes on. */
  boolean isCurrent(PubKey player, Connects own) {
    return connects.get(player) == own;
  }

  /** Takes two who may meet out of the queue. */
  Optional<Pair<Paired>> pair(long now) {
    return lobby.pair(now).map(pair -> new Pair<>(taken(pair.first()), taken(pair.second())));
  }

  /** As {@link Lobby#nextRetry}. */
  OptionalLong nextRetry(long now) {
    return lobby.nextRetry(now);
  }

  private Paired taken(PubKey player) {
    return new Paired(player, Objects.requireNonNull(connects.remove(player)));
  }
}
