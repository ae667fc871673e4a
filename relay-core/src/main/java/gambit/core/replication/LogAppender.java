package gambit.core.replication;

import gambit.core.ingest.Replication.Overtaken;
import gambit.core.log.LimitedLog;
import gambit.core.replication.SharedLog.EntriesGone;
import gambit.core.replication.SharedLog.LogUnavailable;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Appends the leader's entries to the shared log. If it is unknown whether an entry was appended,
 * it waits until that is known: nothing else may be decided before. The writer's thread only.
 */
final class LogAppender {
  private static final LimitedLog LOG = LimitedLog.of(LogAppender.class);
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(1);

  private final SharedLog log;
  private final Doubt doubt;

  /** What a leader does while it does not know whether its entry was appended. */
  @FunctionalInterface
  interface Doubt {
    /** Waits a moment; throws {@link Overtaken} if the node is to end meanwhile. */
    void pause();
  }

  LogAppender(SharedLog log, Doubt doubt) {
    this.log = log;
    this.doubt = doubt;
  }

  /**
   * Appends an entry.
   *
   * @param sequence the number that it must get
   * @throws Overtaken when another node has appended an entry with that number
   */
  void append(long sequence, byte[] entry) {
    while (true) {
      try {
        log.append(sequence - 1, entry);
        return;
      } catch (SharedLog.Overtaken e) {
        Found found = find(sequence, entry);
        if (found == Found.OWN) {
          return;
        } else if (found == Found.ANOTHER) {
          throw new Overtaken("another node has appended entry " + sequence);
        }
      } catch (LogUnavailable e) {
        LOG.warn("Entry {} waits, since the log cannot be reached: {}", sequence, e.getMessage());
      }
      doubt.pause();
    }
  }

  /** Which entry the log has with a number. */
  private enum Found {
    OWN,
    ANOTHER,
    UNKNOWN
  }

  private Found find(long sequence, byte[] entry) {
    try {
      List<byte[]> found = log.read(sequence, READ_TIMEOUT);
      if (found.isEmpty()) {
        return Found.UNKNOWN;
      }
      return Arrays.equals(found.get(0), entry) ? Found.OWN : Found.ANOTHER;
    } catch (EntriesGone e) {
      return Found.ANOTHER;
    } catch (LogUnavailable e) {
      return Found.UNKNOWN;
    }
  }
}
