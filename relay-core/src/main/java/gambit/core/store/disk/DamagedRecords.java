package gambit.core.store.disk;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records that were found damaged since the start: each is logged once. Bound: beyond {@link
 * #MAX_KNOWN} of them, no more are logged or counted. Thread-safe.
 */
final class DamagedRecords {
  static final int MAX_REPORTED_RECORDS = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(DamagedRecords.class);

  private final Set<Location> reported = ConcurrentHashMap.newKeySet();

  private record Location(String segment, int at) {}

  /** A record was met that is not what was written. */
  void report(Segment segment, int at) {
    if (reported.size() < MAX_REPORTED_RECORDS && reported.add(new Location(segment.name(), at))) {
      LOG.error(
          "The event log is damaged: segment {}, byte {}: the record there is not what was written,"
              + " and is not served. End the relay, look at all of the log with `gambit check`, and"
              + " restore the data directory from a backup",
          segment.name(),
          at);
    }
  }

  /** How many records were found. */
  int count() {
    return reported.size();
  }
}
