package gambit.chess.simulation;

import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.WriteOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A bug injected between the session manager and the relay; this one does nothing. To the
 * invariants it appears as a bug of the session manager.
 */
class InjectedBug {
  /** The commit to store instead. */
  Commit stored(Commit commit) {
    return commit;
  }

  /** The outcome reported to the session manager. */
  WriteOutcome believed(Commit commit, WriteOutcome outcome) {
    return outcome;
  }

  /** The output to send instead. */
  List<Outgoing> told(List<Outgoing> outgoing) {
    return outgoing;
  }

  /** Whether output is sent before its commit. */
  boolean tellsFirst(Commit commit) {
    return false;
  }

  /** Whether an alarm is set. */
  boolean sets(Object key) {
    return true;
  }

  /** The reported time of arrival of an event. */
  Instant arrival(Instant now) {
    return now;
  }

  /** The rows of a table that are read after a restart. */
  Map<String, byte[]> found(String table, Map<String, byte[]> rows) {
    return rows;
  }
}
