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
  /** What is stored in place of what ought to be. */
  Commit stored(Commit commit) {
    return commit;
  }

  /** What the session manager believes to have become of it. */
  WriteOutcome believed(Commit commit, WriteOutcome outcome) {
    return outcome;
  }

  /** What is told in place of what ought to be. */
  List<Outgoing> told(List<Outgoing> outgoing) {
    return outgoing;
  }

  /** Whether something is told before it is stored. */
  boolean tellsFirst(Commit commit) {
    return false;
  }

  /** Whether an alarm is set. */
  boolean sets(Object key) {
    return true;
  }

  /** When an event is said to have arrived. */
  Instant arrival(Instant now) {
    return now;
  }

  /** What is found of a table after a restart. */
  Map<String, byte[]> found(String table, Map<String, byte[]> rows) {
    return rows;
  }
}
