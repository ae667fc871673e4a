package gambit.core.replication;

import java.time.Duration;
import java.util.List;

/**
 * The log that the nodes of a cluster share: the only arbiter of what is stored and in which order.
 * Its entries are numbered without gaps. An entry that was appended is never lost or changed, but
 * old entries are removed. Thread-safe; the methods block for a few seconds at most.
 */
public interface SharedLog extends AutoCloseable {

  /**
   * The entries that the log has.
   *
   * @param last the number of the newest entry; one less than the first if there is none
   * @param age how long ago there was certainly no newer entry: then the engine's leader has last
   *     heard of its majority, without which another leader may have been elected since
   */
  record Range(long first, long last, Duration age) {
    public Range(long first, long last) {
      this(first, last, Duration.ZERO);
    }

    /** Whether the log continues a copy whose newest entry has a number. */
    public boolean continues(long newest) {
      return newest + 1 >= first && newest <= last;
    }
  }

  /** The range as the engine's leader knows it at some moment during the call. */
  Range range() throws LogUnavailable;

  /**
   * Appends an entry, if the newest entry still has the given number. It is durable on most servers
   * of the engine when this returns.
   *
   * @throws Overtaken when there is a newer entry, possibly this one, appended by an earlier call
   * @throws LogUnavailable when it is unknown whether the entry was or will be appended
   */
  void append(long last, byte[] entry) throws Overtaken, LogUnavailable;

  /**
   * Reads entries in order; at least one, unless there is none for as long as the caller waits.
   *
   * @throws EntriesGone when the first one has been removed
   */
  List<byte[]> read(long from, Duration wait) throws EntriesGone, LogUnavailable;

  /**
   * Waits for an entry that did not exist when the caller last asked for the range, as it does
   * again afterwards: as {@link #read}, but may return none although the entry exists.
   */
  default List<byte[]> await(long next, Duration wait) throws EntriesGone, LogUnavailable {
    return read(next, wait);
  }

  int maxEntryBytes();

  @Override
  void close();

  /** The log has a newer entry than the caller expected. */
  final class Overtaken extends Exception {
    public Overtaken(String message) {
      super(message);
    }
  }

  /** An entry is so old that the log does not have it any more. */
  final class EntriesGone extends Exception {
    public EntriesGone(String message) {
      super(message);
    }
  }

  /** The log cannot be reached, or has no majority. */
  final class LogUnavailable extends Exception {
    public LogUnavailable(String message) {
      super(message);
    }

    public LogUnavailable(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
