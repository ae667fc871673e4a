package gambit.core.session;

import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A bound on the bytes that are held for all clients together. When there are too many, the client
 * for which most are held is disconnected, whoever has asked for more: one client must not hurt
 * others. Any thread.
 */
public final class SharedBound {

  /** What holds bytes for one client. Any thread. */
  public interface Holder {
    /** False once its client is being disconnected: what it holds is on its way back. */
    boolean isOpen();

    long heldBytes();

    void disconnect();
  }

  private final long limit;
  private final AtomicLong used = new AtomicLong();
  private final Set<Holder> all = ConcurrentHashMap.newKeySet(); // with any that still hold bytes

  public SharedBound(long limit) {
    this.limit = limit;
  }

  public void add(Holder holder) {
    all.add(holder);
  }

  /** Forgets one that is closed and holds nothing any more. */
  public void remove(Holder holder) {
    all.remove(holder);
  }

  /** Counts bytes that are held from now on. */
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
    long going = all.stream().filter(holder -> !holder.isOpen()).mapToLong(Holder::heldBytes).sum();
    while (used.get() - going > limit) {
      Optional<Holder> largest =
          all.stream().filter(Holder::isOpen).max(Comparator.comparingLong(Holder::heldBytes));
      if (largest.isEmpty()) {
        return;
      }
      largest.get().disconnect();
      going += largest.get().heldBytes();
    }
  }
}
