package gambit.core.session;

import gambit.core.feature.RelayBuilder.InstalledSearch;
import gambit.core.lane.TurnQueue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The queries of one connection on the lanes that all connections share. They begin on the query
 * lane; a query that has examined many entries in one turn continues on the scan lane, so that long
 * scans delay only each other. On each lane connections take turns, so that many queries of one
 * client do not delay those of another. Searches run on a lane of their own before the query of
 * their subscription begins. Thread-safe.
 */
final class QueryTurns {
  static final int PAGE_EVENTS = 100;

  /** Maximum number of stored events sent in a turn, which also ends when the client is busy. */
  static final int TURN_EVENTS = 300;

  /** Number of the store's entries after which a turn ends; the last page may exceed it. */
  static final int MAX_EXAMINED = 2_000;

  /** Number of bytes that one query reads ahead; the last event read may exceed it. */
  static final int READ_AHEAD_BYTES = 32 * 1024;

  final TurnQueue queries;
  final TurnQueue scans;
  private final @Nullable TurnQueue searches;

  QueryTurns(RelayCore relay) {
    InstalledSearch search = relay.features().search();
    this.queries = new TurnQueue(relay.stored().queries());
    this.scans = new TurnQueue(relay.stored().scans());
    this.searches = search == null ? null : new TurnQueue(search.lane());
  }

  TurnQueue searches() {
    return Objects.requireNonNull(searches);
  }

  /** Runs the cancelled queries, so that they release what they hold. Any thread. */
  void runCancelled() {
    queries.runCancelled();
    scans.runCancelled();
    if (searches != null) {
      searches.runCancelled();
    }
  }
}
