package gambit.core.store;

import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The only write transaction of a store. It sees its own changes; nobody else does before {@link
 * #commit}. Closing it without a commit discards them. The writer's thread only.
 */
public interface Transaction extends RowReader, AutoCloseable {

  /** Expiration of an event that {@link #expired} never returns. */
  long NEVER = Long.MAX_VALUE;

  Optional<StoredEvent> byId(EventId id);

  Optional<StoredEvent> byAddress(Address address);

  /** Stored events that match, newest first; the filter's {@code limit} is ignored. */
  List<StoredEvent> find(Filter filter, int max);

  /** Stored events that expire at the given time or earlier. */
  List<StoredEvent> expired(long seconds, int max);

  /**
   * The stored events that are last in serving order, the last one first.
   *
   * @param after the event after which to begin, which may have been removed; null for the last one
   */
  List<StoredEvent> oldest(int max, @Nullable StoredEvent after);

  /**
   * Whether there is room for events that replace others. There always is if they are not larger
   * than the replaced ones.
   *
   * @param mayUseReserve whether the part of the store that is reserved for the relay counts
   */
  boolean hasRoomFor(List<Event> events, List<StoredEvent> replaced, boolean mayUseReserve);

  /**
   * Adds an event and returns its offset. The caller ensures that neither the event nor another one
   * with its address is stored.
   *
   * @param expiresAt time from which {@link #expired} returns it, in seconds of Unix time
   * @throws IllegalArgumentException when {@code created_at} is not below {@link
   *     EventStore#TIMESTAMP_BOUND}
   */
  long append(Event event, long expiresAt);

  /** Why an event is removed. It decides how soon its bytes must be gone. */
  enum Removal {
    /** The event is no longer needed: its bytes may stay until enough can be reclaimed. */
    OBSOLETE,
    /** Its deletion was requested (NIP-09, NIP-62): its bytes must be gone within a day. */
    ERASED
  }

  /** Removes an event if it is stored. */
  void remove(StoredEvent stored, Removal removal);

  /** Makes all earlier removals {@linkplain Removal#ERASED erasures}. */
  void eraseRemoved();

  /** Sets a row, whose names {@link EventStore#requireValidRowName} checks. */
  void putRow(String table, byte[] key, byte[] value);

  void removeRow(String table, byte[] key);

  /**
   * Ends the changes and returns their records, which other nodes apply, too. From then on {@link
   * #commit} appends a group also if it has no records, and a commit that fails throws {@link
   * StoreFailure}, since other nodes may have the group already.
   *
   * @throws IOException when this store has no room for them; then none of them takes effect
   */
  LogGroup prepare() throws IOException;

  /** The size of the changes' records so far, as the other nodes will get them, about. */
  long recordBytes();

  /** The events that were {@linkplain #append appended}, in order. */
  List<Event> added();

  /**
   * Makes all changes visible at once, and durable if the store is.
   *
   * @throws IOException when they cannot be stored; then none of them takes effect
   * @throws StoreFailure when it is unknown what is stored: the process must end
   */
  void commit() throws IOException;

  /**
   * Time that {@link #commit} has waited for the disk to sync, in nanoseconds; 0 before it, and if
   * it had nothing to sync.
   */
  default long syncNanos() {
    return 0;
  }

  @Override
  void close();
}
