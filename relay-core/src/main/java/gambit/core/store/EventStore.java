package gambit.core.store;

import gambit.core.model.EventId;
import gambit.core.model.Filter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Where events are kept. A store knows ids, addresses, offsets and named tables, but the meaning of
 * no NIP: that lives in {@code ingest}, once for all stores.
 *
 * <p>Every appended event has an offset; offsets grow in commit order and are never used twice, so
 * that one number tells what a reader has seen.
 */
public interface EventStore extends RowReader, AutoCloseable {

  /** {@code created_at} of a stored event is below this: five bytes of an index key. */
  long TIMESTAMP_BOUND = 1L << 40;

  /** Longest key of a row, in bytes, and longest name of a table, in letters. */
  int MAX_ROW_KEY_BYTES = 256;

  int MAX_TABLE_NAME_BYTES = 32;

  /**
   * Checks what a row is to be found by.
   *
   * @throws IllegalArgumentException when the key or the table's name is too long
   */
  static void requireValidRowName(String table, byte[] rowKey) {
    if (table.getBytes(StandardCharsets.UTF_8).length > MAX_TABLE_NAME_BYTES
        || rowKey.length > MAX_ROW_KEY_BYTES) {
      throw new IllegalArgumentException("too long a table's name or a key: " + table);
    }
  }

  /** Tells whether the event is stored and committed. Any thread. */
  boolean contains(EventId id);

  /**
   * At least the offset of the newest committed event, and less than that of any later one; 0 when
   * nothing was ever committed. Never less than that of a commit whose changes a page has shown.
   * Any thread.
   */
  long lastOffset();

  /** How many events are stored. Any thread; approximate while a commit is under way. */
  long size();

  /** How many bytes the stored events take, about, wherever they are kept. Any thread. */
  long bytes();

  /**
   * How many records were met since the start that are not what was written: they are left out of
   * all answers. Any thread.
   */
  long damagedRecords();

  /** Whether there is room for events of clients. Any thread. */
  boolean hasRoomForClients();

  /** Begins the one write transaction. The writer's thread only. */
  Transaction begin();

  /**
   * Begins to look for the events that match. The filter's {@code limit} is not looked at. Any
   * thread.
   *
   * @param upTo the highest offset that may be shown
   */
  Query query(Filter filter, long upTo);

  /** The committed row of that key in a named table. Any thread. */
  @Override
  Optional<byte[]> row(String table, byte[] key);

  /** Every row of a table by its key, in hex; for the start of a program. Any thread. */
  Map<String, byte[]> rows(String table);

  /**
   * Gives back some of what removed events still take, as far as it is worth it or urgent: bytes of
   * events that were {@linkplain Removal#ERASED erased} are gone a day later at the latest if this
   * is called, until there is no more to do, every hour. May take a second; writing and reading go
   * on meanwhile. One thread at a time.
   *
   * @return whether there is more to do
   */
  boolean reclaim(Instant now);

  @Override
  void close();
}
