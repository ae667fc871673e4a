package gambit.core.live;

import gambit.core.model.Event;
import gambit.core.wire.RelayMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The place of EOSE among a subscription's frames: the stored events up to its watermark, EOSE, the
 * live events held meanwhile, then live events as they are released.
 *
 * <p>A subscription's watermark is the offset that was released last when it was added. The last
 * page can be read after a later commit, one that has replaced an event below the watermark. EOSE
 * then waits until that commit is released, so that the replacing event is held and can be sent
 * before EOSE. The live lane's only, apart from {@link #hasReleased}.
 */
final class EoseOrder {
  private volatile long releasedOffset;
  private final List<Runnable> waiting = new ArrayList<>();

  /** Begins with the events that are stored, up to that offset. */
  EoseOrder(long lastOffset) {
    this.releasedOffset = lastOffset;
  }

  /** Whether everything up to that offset has been released. Any thread. */
  boolean hasReleased(long offset) {
    return offset <= releasedOffset;
  }

  long watermark() {
    return releasedOffset;
  }

  /** Lets a subscription go live once everything is released that the last page has seen. */
  void caughtUp(
      Subscriber subscription,
      long upTo,
      RelayMessage.EndOfStored eose,
      Predicate<Event> replacesStored) {
    if (upTo <= releasedOffset) {
      subscription.goLive(eose, replacesStored);
    } else {
      waiting.add(() -> caughtUp(subscription, upTo, eose, replacesStored));
    }
  }

  /** Everything up to that offset has been released. */
  void released(long offset) {
    releasedOffset = offset;
    if (waiting.isEmpty()) {
      return;
    }
    List<Runnable> retried = List.copyOf(waiting);
    waiting.clear();
    retried.forEach(Runnable::run);
  }
}
