package gambit.core.session;

import gambit.core.lane.Lane;
import gambit.core.lane.TurnQueue;

/**
 * The queries of one connection on the lanes that all connections share. They begin on the query
 * lane; one that has looked at much without finding what it looks for goes on among its like on the
 * scan lane, so that a long scan never holds up a short query. On each lane connections take turns,
 * so that many queries of one client do not hold up those of another. Thread-safe.
 */
final class QueryTurns {
  private final TurnQueue queries;
  private final TurnQueue scans;

  QueryTurns(Lane queries, Lane scans) {
    this.queries = new TurnQueue(queries);
    this.scans = new TurnQueue(scans);
  }

  /** Begins a query; false, and nothing happens, when too many wait. */
  boolean begin(TurnQueue.Task query) {
    return queries.submit(query);
  }

  /** Ends those that nobody needs any more, and what they hold is given back. */
  void endWhatIsOver() {
    queries.endWhatIsOver();
    scans.endWhatIsOver();
  }

  /** Queues the next turn of a query that was begun. */
  void goOn(TurnQueue.Task query, boolean isScan) {
    (isScan ? scans : queries).put(query);
  }
}
