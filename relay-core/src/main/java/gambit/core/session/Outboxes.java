package gambit.core.session;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that wait for all clients together. When there are too many, the client for which most
 * wait is disconnected, whoever has asked for more: not reading must not hurt others. Any thread.
 */
public final class Outboxes {

  private final long limit;
  private final AtomicLong used = new AtomicLong();
  private final Set<Outbox> all = ConcurrentHashMap.newKeySet();
  private @Nullable Outbox victim; // guarded by this

  public Outboxes(long limit) {
    this.limit = limit;
  }

  public void add(Outbox outbox) {
    all.add(outbox);
  }

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

  /** One at a time: the next one only when the last one has given back all that it had. */
  private synchronized void makeRoom() {
    if (used.get() > limit && (victim == null || victim.waitingBytes() == 0)) {
      victim =
          all.stream()
              .filter(Outbox::isOpen)
              .max(Comparator.comparingLong(Outbox::waitingBytes))
              .orElse(null);
      if (victim != null) {
        victim.disconnect();
      }
    }
  }
}
