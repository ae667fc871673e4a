package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.wire.Reason;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * Finds stored events by their text (NIP-50). The relay sends an event that was found only if it is
 * still stored, matches the filter and may be read by the client.
 */
public interface EventSearch {
  /** The reason why a text cannot be searched for, if there is one. Any thread. */
  Optional<Reason> objection(String text);

  /**
   * Runs a task, which must be quick, on any thread as soon as {@link #find} takes account of all
   * commits up to an offset, or cannot do so within some seconds. Any thread.
   */
  void whenCurrent(long offset, Runnable then);

  /**
   * Finds the events up to an offset that match a filter with {@code search}, the best match first,
   * of the kinds that {@code mayRead} accepts. On the lane of searches; takes a bounded time.
   */
  Result find(Filter filter, IntPredicate mayRead, long upTo);

  sealed interface Result {}

  /** The offsets of at most 500 events, the best match first; neither copied nor to be changed. */
  @SuppressWarnings("ArrayRecordComponent") // of numbers, to take 4 KB a search
  record Found(long[] offsets) implements Result {}

  record Refused(Reason reason) implements Result {}

  /**
   * Whether the text of a new event matches, which decides about live events. The result is called
   * on the live lane only, for events that meet the filter's other conditions.
   */
  Predicate<Event> matcher(String text);

  /** An event that was found is no longer stored. Any thread. */
  void forget(long offset);
}
