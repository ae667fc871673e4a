package gambit.core.session;

import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that wait for all clients together. When there are too many, the client for which most
 * wait is disconnected, whoever has asked for more: not reading must not hurt others. Any thread.
 */
public final class Outboxes {

  private final long limit;
  private final AtomicLong used = new AtomicLong();
  private final Set<Outbox> all = ConcurrentHashMap.newKeySet(); // with any that still hold bytes

  public Outboxes(long limit) {
    this.limit = limit;
  }

  public void add(Outbox outbox) {
    all.add(outbox);
  }

  /** Forgets an outbox that is closed and holds nothing any more. */
  public void remove(Outbox outbox) {
    all.remove(outbox);
  }

  /** Counts bytes that wait from now on. */
  public void reserve(long bytes) {
    if (used.addAndGet(bytes) > limit) {
      makeRoom();
    }
  }

  public void release(long bytes) {
    used.addAndGet(-bytes);
  }

  public long used() {
    return used.get();
  }

  /** What closed ones hold is on its way back, and nobody has to go for it. */
  private synchronized void makeRoom() {
    long going =
        all.stream().filter(outbox -> !outbox.isOpen()).mapToLong(Outbox::waitingBytes).sum();
    while (used.get() - going > limit) {
      Optional<Outbox> largest =
          all.stream().filter(Outbox::isOpen).max(Comparator.comparingLong(Outbox::waitingBytes));
      if (largest.isEmpty()) {
        return;
      }
      largest.get().disconnect();
      going += largest.get().waitingBytes();
    }
  }
}
