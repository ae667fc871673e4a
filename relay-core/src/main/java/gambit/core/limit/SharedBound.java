package gambit.core.limit;

import gambit.core.model.SharedJson;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A bound on the bytes that are held for all clients together. When there are too many, the client
 * for which most are held for the longest time is disconnected, whoever has asked for more: one
 * client must not hurt others. What can wait waits before that: it may use three quarters of the
 * bound, each client a share of what is left of them. Any thread.
 */
public final class SharedBound implements SharedJson.Counter {
  /** A client's share is what is left, divided by this: many slow clients never use up all. */
  private static final int SHARES = 256;

  /** What one that is woken takes, about. */
  private static final int PAGE = 64 * 1024;

  /** So long may clients that take nothing keep others waiting for a share. */
  public static final Duration PATIENCE = Duration.ofSeconds(15);

  /** After so many times that, those that take little go as well. */
  private static final int FOR_SLOW_ONES = 4;

  /** What holds bytes for one client. Any thread. */
  public interface Holder {
    /** False once its client is being disconnected: what it holds is on its way back. */
    boolean isOpen();

    long heldBytes();

    /** For how long its client has taken nothing of what it could take; 0 if that counts not. */
    default long waitedMillis() {
      return 0;
    }

    void disconnect();

    /**
     * What the others would gain by its going: a client that takes its bytes is soon rid of them.
     */
    private long burden() {
      return heldBytes() * Math.max(1, waitedMillis());
    }
  }

  private final long limit;
  private final InstantSource time;
  private final AtomicLong used = new AtomicLong();
  private final Set<Holder> all = ConcurrentHashMap.newKeySet(); // with any that still hold bytes
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>(); // for a share
  private final AtomicBoolean watched = new AtomicBoolean();
  private volatile long wokenAt;

  /** A bound. */
  public SharedBound(long limit) {
    this(limit, InstantSource.system());
  }

  /** A bound with a clock of its own. */
  public SharedBound(long limit, InstantSource time) {
    this.limit = limit;
    this.time = time;
  }

  public void add(Holder holder) {
    all.add(holder);
  }

  /** Forgets one that is closed and holds nothing any more. */
  public void remove(Holder holder) {
    all.remove(holder);
  }

  /** Counts bytes that are held from now on. */
  @Override
  public void reserve(long bytes) {
    if (used.addAndGet(bytes) > limit) {
      makeRoom();
    }
  }

  @Override
  public void release(long bytes) {
    used.addAndGet(-bytes);
    if (!waiting.isEmpty()) {
      wake();
    }
  }

  public long used() {
    return used.get();
  }

  /** How many holders are known. */
  public int holders() {
    return all.size();
  }

  /** How much a client may hold of what can wait. */
  public long share() {
    return Math.max(0, (forWaiting() - used.get()) / SHARES);
  }

  /** How much of the bound what can wait may use. */
  private long forWaiting() {
    return limit / 4 * 3;
  }

  /**
   * Calls back once there is a share again, in the order of asking. Should that take too long,
   * clients that take nothing are disconnected.
   *
   * @param then called on any thread
   * @param later runs something in a while
   */
  public void awaitShare(Runnable then, Consumer<Runnable> later) {
    if (waiting.isEmpty()) {
      wokenAt = time.millis();
    }
    waiting.add(then);
    wake();
    watch(later);
  }

  /** Wakes as many as have room for a page; each of them wakes others by what it gives back. */
  private void wake() {
    for (long room = forWaiting() - used.get(); room > 0; room -= PAGE) {
      Runnable next = waiting.poll();
      if (next == null) {
        return;
      }
      wokenAt = time.millis();
      next.run();
    }
  }

  private void watch(Consumer<Runnable> later) {
    if (!waiting.isEmpty() && watched.compareAndSet(false, true)) {
      later.accept(
          () -> {
            watched.set(false);
            wake();
            endStarvation();
            watch(later);
          });
    }
  }

  /** What closed ones hold is on its way back, and nobody has to go for it. */
  private synchronized void makeRoom() {
    disconnect(holder -> true, limit);
  }

  /** Those that wait for a share hold nothing, so they wait for others that do not take theirs. */
  private synchronized void endStarvation() {
    long starving = waiting.isEmpty() ? 0 : time.millis() - wokenAt;
    long patience = PATIENCE.toMillis();
    if (starving >= patience) {
      disconnect(holder -> holder.waitedMillis() >= patience, forWaiting() / 2);
    }
    if (starving >= FOR_SLOW_ONES * patience) {
      disconnect(holder -> holder.waitedMillis() > 0, forWaiting() - 1);
    }
  }

  private void disconnect(Predicate<Holder> candidates, long target) {
    long going = all.stream().filter(holder -> !holder.isOpen()).mapToLong(Holder::heldBytes).sum();
    while (used.get() - going > target) {
      Optional<Holder> worst =
          all.stream()
              .filter(holder -> holder.isOpen() && candidates.test(holder))
              .max(Comparator.comparingLong(Holder::burden));
      if (worst.isEmpty()) {
        return;
      }
      worst.get().disconnect();
      going += worst.get().heldBytes();
    }
  }
}
