package gambit.core.ingest;

import gambit.core.model.Event;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The events between frame and answer, of all connections together, and the bounds on their number
 * and bytes. Thread-safe.
 */
final class EventsUnderWay {
  /**
   * The bound for one class of events. The higher ones leave room that other events cannot fill:
   * for claimed events, and of these for awaited ones.
   *
   * @param bytes approximate
   */
  record Bound(int events, long bytes) {
    static final Bound ORDINARY = new Bound(16_000, 96L << 20);
    static final Bound CLAIMED = new Bound(19_000, 120L << 20);
    static final Bound AWAITED = new Bound(20_000, 128L << 20);
  }

  /** Approximate heap of a string in an event's tags, beside its characters. */
  private static final long TAG_VALUE_BYTES = 56;

  private final AtomicInteger events = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();

  /**
   * Adds an event, which must be removed when it is answered.
   *
   * @return false when the bound is exceeded, and the event is to be refused
   */
  boolean add(Event event, Bound bound) {
    int eventsNow = events.incrementAndGet();
    long bytesNow = bytes.addAndGet(bytes(event));
    return eventsNow <= bound.events() && bytesNow <= bound.bytes();
  }

  /** Removes an event that was answered. */
  void remove(Event event) {
    events.decrementAndGet();
    bytes.addAndGet(-bytes(event));
  }

  int count() {
    return events.get();
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

  /**
   * Waits until all events are answered.
   *
   * @return whether that was so in time
   */
  boolean awaitNone(Duration timeout) throws InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    while (events.get() > 0 && System.nanoTime() < end) {
      Thread.sleep(1);
    }
    return events.get() == 0;
  }
}
