package gambit.core.ingest;

import gambit.core.feature.ClientConnection;
import gambit.core.limit.SharedBudget;
import gambit.core.model.Event;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The events between frame and answer, of all connections together, and the bounds on their number
 * and bytes, with a share of each for one address ({@link SharedBudget}). Thread-safe.
 */
final class EventsUnderWay {
  /**
   * The bound for one class of events, approximate in bytes. The higher ones leave room that other
   * events cannot fill: for claimed events, and of these for awaited ones, which no share limits.
   */
  record Bound(int events, long bytes) {
    static final Bound ORDINARY = new Bound(16_000, 96L << 20);
    static final Bound CLAIMED = new Bound(19_000, 120L << 20);
    static final Bound AWAITED = new Bound(20_000, 128L << 20);
  }

  /** Approximate heap of a string in an event's tags, beside its characters. */
  private static final long TAG_VALUE_BYTES = 56;

  private final SharedBudget events = new SharedBudget(Bound.AWAITED.events());
  private final SharedBudget bytes = new SharedBudget(Bound.AWAITED.bytes());

  /**
   * Adds an event, which must be removed when it is answered; false when the bound or the share is
   * exceeded, and the event is to be refused.
   */
  boolean add(Event event, ClientConnection sender, Bound bound) {
    Set<Object> owners = owners(sender);
    boolean isAwaited = bound.equals(Bound.AWAITED);
    boolean hasRoom = events.add(owners, 1, bound.events());
    hasRoom &= bytes.add(owners, bytes(event), bound.bytes());
    return hasRoom
        || (isAwaited && events.used() <= bound.events() && bytes.used() <= bound.bytes());
  }

  void remove(Event event, ClientConnection sender) {
    Set<Object> owners = owners(sender);
    events.release(owners, 1);
    bytes.release(owners, bytes(event));
  }

  /** Not the keys, since a login may come between an event and its answer. */
  private static Set<Object> owners(ClientConnection sender) {
    return sender.isOperator() ? Set.of() : Set.of(sender.address());
  }

  int count() {
    return (int) events.used();
  }

  /** Three bytes of JSON can be a tag's value, so tags are counted beside the encoding. */
  private static long bytes(Event event) {
    long bytes = event.json().length;
    List<List<String>> tags = event.tags().list();
    for (int i = 0; i < tags.size(); i++) {
      bytes += tags.get(i).size() * TAG_VALUE_BYTES;
    }
    return bytes;
  }

  /** Waits until all events are answered; returns whether that was so in time. */
  boolean awaitNone(Duration timeout) throws InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    while (events.used() > 0 && System.nanoTime() < end) {
      Thread.sleep(1);
    }
    return events.used() == 0;
  }
}
