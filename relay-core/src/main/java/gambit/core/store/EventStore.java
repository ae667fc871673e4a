package gambit.core.store;

import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Stores events and the rows of features. A store handles ids, addresses, offsets and named tables;
 * the rules of the NIPs are in {@code ingest}, once for all stores.
 *
 * <p>Every appended event has an offset. Offsets grow in commit order and are never reused, so one
 * number states how much of the store a reader has seen.
 *
 * <p>The log of a store can be copied group by group: after the same groups in the same order, two
 * stores have the same events and rows at the same offsets.
 */
public interface EventStore extends RowReader, AutoCloseable {

  /**
   * Exclusive upper bound of {@code created_at} of stored events, in seconds: an index key has five
   * bytes for it.
   */
  long TIMESTAMP_BOUND = 1L << 40;

  int MAX_ROW_KEY_BYTES = 256;

  /** Maximum length of a table's name, in bytes of UTF-8. */
  int MAX_TABLE_NAME_BYTES = 32;

  /** Throws IllegalArgumentException if a table's name or a row's key is too long. */
  static void requireValidRowName(String table, byte[] rowKey) {
    if (utf8(table).length > MAX_TABLE_NAME_BYTES || rowKey.length > MAX_ROW_KEY_BYTES) {
      throw new IllegalArgumentException(
          "the name of a table or the key of a row is too long: " + table);
    }
  }

  /** A table's name as it is stored. */
  static byte[] utf8(String table) {
    return table.getBytes(StandardCharsets.UTF_8);
  }

  /** Whether the event is stored and committed. Any thread. */
  boolean contains(EventId id);

  /**
   * An offset that is at least that of the newest committed event and less than that of any later
   * one; 0 before the first commit. It is never less than the offset of a commit whose changes a
   * page has shown. Any thread.
   */
  long lastOffset();

  /**
   * The events removed most recently. A removal is among them when its commit returns, and not
   * before pages can show it. Any thread.
   */
  RecentRemovals recentRemovals();

  /** The number of stored events. Any thread; approximate during a commit. */
  long size();

  /** Approximate number of bytes that the stored events occupy. Any thread. */
  long bytes();

  /** The number of damaged records found since the start, which no answer has. Any thread. */
  long damagedRecords();

  /** Whether there is room for events of clients. Any thread. */
  boolean hasRoomForClients();

  /** Begins the only write transaction. The writer's thread only. */
  Transaction begin();

  /** The end of the log. The writer's thread only. */
  LogEnd logEnd();

  /**
   * The end of a store's log.
   *
   * @param sequence the number of the newest group; 0 if there is none
   * @param offset where the next group begins
   * @param checksum {@link LogGroup#checksum} of the newest group; 0 if it is unknown, since there
   *     is no group, or only its live records are left
   */
  record LogEnd(long sequence, long offset, int checksum) {}

  /**
   * Applies groups of another store that follow the end of this one's log, in order. They are
   * visible, and durable if the store is, when this returns. The writer's thread only, while no
   * transaction is open.
   *
   * @throws IllegalArgumentException when a group does not follow the one before it, or is not well
   *     formed; nothing is applied then
   * @throws IOException when there is no room; nothing is applied then
   * @throws StoreFailure when it is unknown what is stored: the process must end
   */
  List<AppliedGroup> apply(List<LogGroup> groups) throws IOException;

  /** What a group from another node has added, in its order, and the rows that it has changed. */
  record AppliedGroup(List<StoredEvent> added, List<RowName> rows) {
    @SuppressWarnings("ArrayRecordComponent") // nobody compares names
    public record RowName(String table, byte[] key) {}
  }

  /** Begins a query for matching events up to an offset, without the {@code limit}. Any thread. */
  Query query(Filter filter, long upTo);

  /** The event with that offset, if it is stored. Any thread. */
  Optional<StoredEvent> byOffset(long offset);

  /**
   * What commits have changed after an offset, up to the newest commit or the end of the portion.
   * Following the changes yields every stored event; because removals may be missing, whether an
   * event is still stored must be asked with {@link #byOffset}. Any thread; cheap if nothing has
   * changed.
   *
   * @param after 0, or where an earlier portion ended
   * @param max number of events after which the portion ends, at the end of their commit
   */
  Changes changes(long after, KindSet kinds, int max);

  /**
   * A portion of {@link #changes}. Immutable.
   *
   * @param added in the order of their offsets; some may have been removed since, also by {@code
   *     removed}
   * @param removed offsets; one that was removed long ago may be missing
   * @param upTo the offset after which the next portion begins
   */
  record Changes(List<StoredEvent> added, List<Long> removed, long upTo) {}

  /** A snapshot of the last commit, to be closed soon. Any thread. */
  StoreSnapshot snapshot();

  /** All rows of a table by their keys in hex, for the start of a program. Any thread. */
  Map<String, byte[]> rows(String table);

  /**
   * Reclaims some of the space of removed events, if there is enough of it or an erasure is due;
   * returns whether there is more to do. The bytes of {@linkplain Transaction.Removal#ERASED
   * erased} events are gone within a day if this is called every hour until then. A call may take a
   * second; writing and reading continue meanwhile. One thread at a time.
   */
  boolean reclaim(Instant now);

  @Override
  void close();
}
