package gambit.core.store.disk.log;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the damaged records found since the start, and logs each once. Bound: no more than {@link
 * #MAX_REPORTED_RECORDS} are logged and counted. Thread-safe.
 */
public final class DamagedRecords {
  static final int MAX_REPORTED_RECORDS = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(DamagedRecords.class);

  private final Set<Location> reported = ConcurrentHashMap.newKeySet();

  private record Location(String segment, int at) {}

  public void report(Segment segment, int at) {
    if (reported.size() < MAX_REPORTED_RECORDS && reported.add(new Location(segment.name(), at))) {
      LOG.error(
          "The event log is damaged: segment {}, byte {}: the record is damaged"
              + " and is not served. Check the whole log with `gambit check`, and"
              + " restore the data directory from a backup",
          segment.name(),
          at);
    }
  }

  public int count() {
    return reported.size();
  }
}
