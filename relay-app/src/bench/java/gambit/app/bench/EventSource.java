package gambit.app.bench;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.LongFunction;

/**
 * New events, signed in advance on all processors, and one by one when these are used up. Prepared
 * by the thread of the measurement, then used by the event loop.
 */
final class EventSource {
  private final LongFunction<Draft> drafts;
  private final Queue<SignedEvent> ready = new ArrayDeque<>();

  /**
   * A source.
   *
   * @param drafts makes the next event of a time in seconds
   */
  EventSource(LongFunction<Draft> drafts) {
    this.drafts = drafts;
  }

  /** Signs until this number of events is ready. */
  void prepare(int count) {
    List<Draft> next = new ArrayList<>();
    while (ready.size() + next.size() < count) {
      next.add(draft());
    }
    ready.addAll(
        next.parallelStream()
            .map(draft -> SignedEvent.of(draft, draft.sign().toString()))
            .toList());
  }

  SignedEvent next() {
    SignedEvent prepared = ready.poll();
    if (prepared != null) {
      return prepared;
    }
    Draft draft = draft();
    return SignedEvent.of(draft, draft.sign().toString());
  }

  private Draft draft() {
    return drafts.apply(System.currentTimeMillis() / 1000);
  }
}
