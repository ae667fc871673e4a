package gambit.chess.session.lobby;

import gambit.chess.session.runtime.SessionContext;
import gambit.core.model.PubKey;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The players whose searches have ended since this node leads. Without this memory a search could
 * begin again by itself:
 *
 * <ol>
 *   <li>A player searches over two connections, at two nodes. Each connection keeps a note of the
 *       search.
 *   <li>One connection's node is cut off from the leader. Over the other connection the search
 *       ends: the player cancels the search, or is paired.
 *   <li>The node returns, and the leader restores its connection with the old note. The note's
 *       place is not greater than the place remembered here, so the note has no effect.
 * </ol>
 *
 * <p>A takeover is the same case: the new leader restores the connections one after another. Empty
 * without a cluster; else bounded by {@link #MAX_PLAYERS}, beyond which the player whose search
 * ended first is forgotten. Owned by the chess lane.
 */
final class EndedSearches {
  static final int MAX_PLAYERS = 20_000;

  private final SessionContext context;
  private final SearchQueues queues;

  /** The greatest place that a search of each player may have had. */
  private final Map<PubKey, Long> lastPlaces =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<PubKey, Long> eldest) {
          return size() > MAX_PLAYERS;
        }
      };

  EndedSearches(SessionContext context, SearchQueues queues) {
    this.context = context;
    this.queues = queues;
  }

  /** A player's search, also one that this node does not know yet, is over. */
  void ended(PubKey player) {
    if (context.isInCluster()) {
      lastPlaces.remove(player); // it becomes the newest one
      lastPlaces.put(player, queues.passPlaces(context.now()));
    }
  }

  /** A search has a place before all others, which does not show that it is a new one. */
  void resumed(PubKey player) {
    lastPlaces.remove(player);
  }

  /** Whether a player's search with a place is over. */
  boolean isOver(PubKey player, long place) {
    Long last = lastPlaces.get(player);
    return last != null && place <= last;
  }
}
