package gambit.core.store;

import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The one write transaction of a store: it sees its own changes, and nobody else does before {@link
 * #commit}. Closing it without a commit undoes everything. The writer's thread only.
 */
public interface Transaction extends RowReader, AutoCloseable {

  /** An event that is never to be found by {@link #expired}. */
  long NEVER = Long.MAX_VALUE;

  /** The stored event of that id. */
  Optional<StoredEvent> byId(EventId id);

  /** The event stored under that address. */
  Optional<StoredEvent> byAddress(Address address);

  /** Stored events that match, newest first; the filter's {@code limit} is not looked at. */
  List<StoredEvent> find(Filter filter, int max);

  /** Stored events whose time to expire is the given one or an earlier one. */
  List<StoredEvent> expired(long seconds, int max);

  /** The stored events that would be served last. */
  List<StoredEvent> oldest(int max);

  /**
   * Tells whether the events find room in the place of others; they do if those take no less.
   *
   * @param mayUseReserve whether the last part of the room counts, which clients cannot fill
   */
  boolean hasRoomFor(List<Event> events, List<StoredEvent> replaced, boolean mayUseReserve);

  /**
   * Adds an event that is not there yet and returns its offset. If it has an address, nothing is
   * stored under that any more.
   *
   * @param expiresAt from when on {@link #expired} finds it, in seconds of Unix time
   * @throws IllegalArgumentException when {@code created_at} is not below {@link
   *     EventStore#MAX_TIME}
   */
  long append(Event event, long expiresAt);

  /** Takes an event away, if it is still there. */
  void remove(StoredEvent stored, Removal removal);

  /** Whatever was removed from the store so far is {@linkplain Removal#ERASED erased}. */
  void eraseRemoved();

  /**
   * Sets a row.
   *
   * @throws IllegalArgumentException when the key or the table's name is too long
   */
  void putRow(String table, byte[] key, byte[] value);

  /** Takes a row away, if there is one. */
  void removeRow(String table, byte[] key);

  /**
   * Makes the changes durable, as far as the store is, and visible, all together.
   *
   * @throws IOException when they cannot be kept; then none of them has happened
   * @throws StoreFailure when nobody can tell any more what is kept: the process is to end
   */
  void commit() throws IOException;

  @Override
  void close();
}
