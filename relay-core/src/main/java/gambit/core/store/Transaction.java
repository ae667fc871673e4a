package gambit.core.store;

import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The one write transaction of a store: it sees its own changes, and nobody else does before {@link
 * #commit}. Closing it without a commit undoes everything. The writer's thread only.
 */
public interface Transaction extends AutoCloseable {

  /** The stored event of that id. */
  Optional<StoredEvent> byId(EventId id);

  /** The event stored under that address. */
  Optional<StoredEvent> byAddress(Address address);

  /**
   * Tells whether the events find room in the place of others; they do if those take no less.
   *
   * @param mayUseReserve whether the last sixteenth of the room counts, which clients cannot fill
   */
  boolean hasRoomFor(List<Event> events, List<StoredEvent> inPlaceOf, boolean mayUseReserve);

  /** Adds an event that is not there yet and returns its offset. */
  long append(Event event);

  /** Takes an event away. */
  void remove(StoredEvent stored);

  /**
   * Makes the changes durable, as far as the store is, and visible, all together.
   *
   * @throws IOException when they cannot be kept; then none of them has happened
   */
  void commit() throws IOException;

  @Override
  void close();
}
