package gambit.core.limit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.core.model.SharedJson;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A bound on the bytes that are held for all clients together. Beyond it, of the address with the
 * largest sum of products of bytes held and waiting time, the client with the largest product is
 * disconnected, whichever client asked for more, so that nobody can hurt others. Output that can
 * wait may use three quarters of the bound, and each client a share of the free part of these. The
 * bound may change; a lowered one acts when it is enforced, or the next bytes are reserved.
 * Thread-safe.
 */
public final class MemoryBound implements SharedJson.ByteCounter {
  /** A client's share is the free part divided by this; many slow clients never use up all. */
  private static final int SHARES = 256;

  /** Approximate number of bytes that a client takes when it is called back. */
  private static final int PAGE_BYTES = 64 * 1024;

  /** Maximum time for which clients that take nothing may keep others waiting for a share. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** The same for clients of an address that holds most, while a client of another one waits. */
  private static final Duration PATIENCE_WITH_MOST = Duration.ofSeconds(1);

  /** After this multiple of {@link #PATIENCE}, clients that take little are disconnected, too. */
  private static final int PATIENCE_FACTOR_FOR_SLOW = 4;

  /** Holds bytes for one client. Thread-safe. */
  public interface Holder {
    /** Whether its client is connected; if not, the bytes it holds will be released soon. */
    boolean isOpen();

    long heldBytes();

    /** The time for which its client has taken none of the waiting bytes; 0 if none wait. */
    default long waitedMillis() {
      return 0;
    }

    void disconnect();

    /** Its client's address; itself if it has none. */
    default Object owner() {
      return this;
    }

    /** The gain of disconnecting the client: one that takes its bytes will hold none soon. */
    private long burden() {
      return heldBytes() * Math.max(1, waitedMillis());
    }
  }

  private final LongSupplier limit;
  private final InstantSource time;
  private final AtomicLong used = new AtomicLong();
  private final Set<Holder> all =
      ConcurrentHashMap.newKeySet(); // including closed ones that hold bytes

  @GuardedBy("waiting")
  private final Map<Object, Deque<Runnable>> waiting =
      new LinkedHashMap<>(); // tasks that wait for a share, by owner; the first has its turn

  private volatile boolean hasWaiting;
  private final AtomicBoolean watched = new AtomicBoolean();
  private volatile long wokenAt;

  /** A fixed bound, by the system's clock. */
  public MemoryBound(long limit) {
    this(() -> limit, InstantSource.system());
  }

  public MemoryBound(LongSupplier limit, InstantSource time) {
    this.limit = limit;
    this.time = time;
  }

  public void add(Holder holder) {
    all.add(holder);
  }

  /** Removes a closed holder that holds no bytes. */
  public void remove(Holder holder) {
    all.remove(holder);
  }

  /** Counts bytes that are held from now on; may disconnect clients. */
  @Override
  public void reserve(long bytes) {
    if (used.addAndGet(bytes) > limit.getAsLong()) {
      synchronized (this) { // none is disconnected for bytes that closed holders will release
        disconnect(holder -> true, limit.getAsLong());
      }
    }
  }

  /** Disconnects clients if more bytes are held than a bound that has been lowered. */
  public void enforce() {
    reserve(0);
  }

  @Override
  public void release(long bytes) {
    used.addAndGet(-bytes);
    if (hasWaiting) {
      wake();
    }
  }

  public long used() {
    return used.get();
  }

  public int holders() {
    return all.size();
  }

  /** The number of bytes of output that can wait that one client may hold. */
  public long share() {
    return Math.max(0, (limitForWaiting() - used.get()) / SHARES);
  }

  private long limitForWaiting() {
    return limit.getAsLong() / 4 * 3;
  }

  /**
   * Calls back on any thread once there is a share, for each owner in turn. If that takes too long,
   * clients that take nothing are disconnected; {@code later} schedules the checks of that.
   */
  public void awaitShare(Object owner, Runnable then, Consumer<Runnable> later) {
    synchronized (waiting) {
      if (waiting.isEmpty()) {
        wokenAt = time.millis();
      }
      waiting.computeIfAbsent(owner, it -> new ArrayDeque<>()).add(then);
      hasWaiting = true;
    }
    wake();
    watch(later);
  }

  /** Calls back as many as have room for a page; others follow when these release bytes. */
  private void wake() {
    for (long room = limitForWaiting() - used.get(); room > 0; room -= PAGE_BYTES) {
      Runnable next = pollWaiting();
      if (next == null) {
        return;
      }
      wokenAt = time.millis();
      next.run();
    }
  }

  private @Nullable Runnable pollWaiting() {
    synchronized (waiting) {
      if (waiting.isEmpty()) {
        return null;
      }
      Object owner = waiting.keySet().iterator().next();
      Deque<Runnable> tasks = Objects.requireNonNull(waiting.remove(owner));
      Runnable next = tasks.remove();
      if (!tasks.isEmpty()) {
        waiting.put(owner, tasks);
      }
      hasWaiting = !waiting.isEmpty();
      return next;
    }
  }

  private void watch(Consumer<Runnable> later) {
    if (hasWaiting && watched.compareAndSet(false, true)) {
      later.accept(
          () -> {
            watched.set(false);
            wake();
            endStarvation();
            watch(later);
          });
    }
  }

  /** Disconnects clients that do not take their bytes while others, which hold none, wait. */
  private synchronized void endStarvation() {
    if (!hasWaiting) {
      return;
    }
    disconnectOfMost(PATIENCE_WITH_MOST.toMillis());
    long starving = time.millis() - wokenAt;
    long patience = PATIENCE.toMillis();
    if (starving >= patience) {
      disconnect(holder -> holder.waitedMillis() >= patience, limitForWaiting() / 2);
    }
    if (starving >= PATIENCE_FACTOR_FOR_SLOW * patience) {
      disconnect(holder -> holder.waitedMillis() > 0, limitForWaiting() - 1);
    }
  }

  /** Leaves an address no more than half of what can wait while a client of another one waits. */
  private void disconnectOfMost(long patience) {
    Map<Object, Long> held =
        all.stream()
            .filter(Holder::isOpen)
            .collect(
                Collectors.groupingBy(Holder::owner, Collectors.summingLong(Holder::heldBytes)));
    held.forEach(
        (owner, bytes) -> {
          long excess = bytes - limitForWaiting() / 2;
          if (excess > 0 && isAwaitedByOthers(owner)) {
            disconnect(
                holder -> holder.waitedMillis() >= patience && holder.owner().equals(owner),
                used.get() - excess);
          }
        });
  }

  private boolean isAwaitedByOthers(Object owner) {
    synchronized (waiting) {
      return waiting.keySet().stream().anyMatch(it -> !it.equals(owner));
    }
  }

  private void disconnect(Predicate<Holder> candidates, long target) {
    long going = all.stream().filter(holder -> !holder.isOpen()).mapToLong(Holder::heldBytes).sum();
    while (used.get() - going > target) {
      Optional<Holder> worst = worst(candidates);
      if (worst.isEmpty()) {
        return;
      }
      worst.get().disconnect();
      going += worst.get().heldBytes();
    }
  }

  private Optional<Holder> worst(Predicate<Holder> candidates) {
    return all.stream()
        .filter(holder -> holder.isOpen() && candidates.test(holder))
        .collect(Collectors.groupingBy(Holder::owner))
        .values()
        .stream()
        .max(Comparator.comparingLong(its -> its.stream().mapToLong(Holder::burden).sum()))
        .flatMap(its -> its.stream().max(Comparator.comparingLong(Holder::burden)));
  }
}
