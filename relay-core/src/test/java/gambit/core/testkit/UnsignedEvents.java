package gambit.core.testkit;

import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.Transaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Events without a signature, for stores that are filled before a relay opens them. */
public final class UnsignedEvents {
  private static final byte[] NO_SIGNATURE = new byte[64];

  private UnsignedEvents() {}

  public static Event event(PubKey author, long createdAt, int kind, Tags tags, String content) {
    EventId id = EventEncoder.idOf(author, createdAt, kind, tags, content);
    return EventEncoder.encode(id, author, createdAt, kind, tags, content, NO_SIGNATURE);
  }

  /** Stores that number of events, in one commit. */
  public static List<Event> store(EventStore store, int count, IntFunction<Event> number) {
    List<Event> events = IntStream.range(0, count).mapToObj(number).toList();
    try (Transaction transaction = store.begin()) {
      events.forEach(event -> transaction.append(event, Transaction.NEVER));
      transaction.commit();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return events;
  }
}
