package gambit.chess.session.lobby;

import gambit.chess.session.runtime.SessionContext;
import gambit.core.model.PubKey;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The players whose searches have ended since this node leads, so that a note of such a search has
 * no effect that comes with a connection which is restored later: at a takeover, or when its node
 * was gone for a time. Empty without a cluster; else bounded by {@link #MAX_PLAYERS}, beyond which
 * the oldest is forgotten. Owned by the chess lane.
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
