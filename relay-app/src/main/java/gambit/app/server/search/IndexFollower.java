package gambit.app.server.search;

import gambit.core.lane.Deadlines;
import gambit.core.lane.Lane;
import gambit.core.log.LimitedLog;
import gambit.core.model.KindSet;
import gambit.core.store.EventStore;
import gambit.core.store.EventStore.Changes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.lucene.index.CorruptIndexException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the index up to date with the store: every half second, and at once when a search waits. An
 * index that has failed is opened again after half a minute, and built anew if it is damaged; the
 * store never waits for it.
 *
 * <p>Its lane owns it; {@link #index}, {@link #isCurrent}, {@link #behindBytes} and {@link
 * #whenCurrent} may be called on any thread, {@link #close} once the lane has ended.
 */
final class IndexFollower implements AutoCloseable {
  private static final LimitedLog LOG = LimitedLog.of(IndexFollower.class);
  private static final Duration PERIOD = Duration.ofMillis(500);
  private static final Duration RETRY_PERIOD = Duration.ofSeconds(30);

  /** Time between two commits of the index; later changes are applied again after a crash. */
  private static final Duration COMMIT_PERIOD = Duration.ofMinutes(1);

  /** Time after which the words of removed events are erased from the files. */
  private static final Duration ERASE_PERIOD = Duration.ofHours(6);

  /** Time after which a turn ends although the store has further changes. */
  private static final Duration MAX_TURN = Duration.ofMillis(500);

  /** The lane rests after a turn for this number of times its length, up to the maximum. */
  private static final int REST_FACTOR = 3;

  private static final Duration MAX_REST = Duration.ofMillis(50);
  private static final int CHANGES_AT_ONCE = 500;

  private final EventStore store;
  private final Path directory;
  private final WordAnalyzer analyzer;
  private final KindSet kinds;
  private final Duration maxWait;
  private final Lane lane;
  private final Deadlines deadlines;
  private final List<Waiting> waiting = new ArrayList<>(); // bounded by the open searches
  private boolean isTurnQueued;
  private boolean isDamaged;
  private long offset; // up to which changes are applied
  private long committedOffset;
  private long committedAt = System.nanoTime();
  private long erasedAt = System.nanoTime();
  private boolean hasRemoved; // since words were last erased
  private boolean hasUnseen; // changes that searches do not see
  private @Nullable TextIndex opened;
  private volatile boolean hasFailed; // until it is to be opened again
  private volatile @Nullable TextIndex complete; // once it has contained all of the store
  private volatile long currentOffset; // up to which searches see changes

  private record Waiting(long upTo, long sinceNanos, Runnable then) {
    boolean isTooLong(Duration maxWait) {
      return System.nanoTime() - sinceNanos > maxWait.toNanos();
    }
  }

  /** After {@code maxWait}, a search is refused although the index still catches up. */
  IndexFollower(
      EventStore store,
      Path directory,
      WordAnalyzer analyzer,
      KindSet kinds,
      Duration maxWait,
      Lane lane,
      Deadlines deadlines) {
    this.store = store;
    this.directory = directory;
    this.analyzer = analyzer;
    this.kinds = kinds;
    this.maxWait = maxWait;
    this.lane = lane;
    this.deadlines = deadlines;
  }

  void start() {
    lane.put(this::takeTurn);
  }

  /** The index; null while it is being built, or has failed. */
  @Nullable TextIndex index() {
    return complete;
  }

  long behindBytes() {
    return Math.max(0, store.lastOffset() - currentOffset);
  }

  /**
   * Runs a task once searches see everything up to an offset, or once that cannot be achieved: the
   * index has failed, or has not caught up in time.
   */
  void whenCurrent(long upTo, Runnable then) {
    if (isCurrent(upTo) || hasFailed || !lane.submit(() -> await(upTo, then))) {
      then.run();
    }
  }

  boolean isCurrent(long upTo) {
    return complete != null && currentOffset >= upTo;
  }

  private void await(long upTo, Runnable then) {
    lane.assertCurrent();
    if (isCurrent(upTo)) {
      then.run();
      return;
    }
    waiting.add(new Waiting(upTo, System.nanoTime(), then));
    if (!isTurnQueued) {
      isTurnQueued = true; // those who ask meanwhile share the turn
      lane.put(this::takeTurn);
    }
  }

  void forget(long gone) {
    lane.submit(
        () -> {
          try {
            if (opened != null) {
              opened.remove(gone);
              hasRemoved = true;
              hasUnseen = true;
            }
          } catch (IOException | RuntimeException e) {
            fail(e);
          }
        });
  }

  /** A search has found that a file of an index cannot be read. Any thread. */
  void report(TextIndex index, IOException fault) {
    lane.submit(
        () -> {
          if (opened == index) {
            fail(fault);
          }
        });
  }

  private void takeTurn() {
    lane.assertCurrent();
    long begun = System.nanoTime();
    isTurnQueued = false;
    boolean isAtEnd = true;
    if (hasFailed) {
      release(task -> true); // nothing is tried before the alarm that the failure has set
      return;
    }
    try {
      isAtEnd = follow(begun);
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
    boolean isOver = isAtEnd;
    if (release(task -> isOver || isCurrent(task.upTo) || task.isTooLong(maxWait))) {
      rest(System.nanoTime() - begun);
    }
    if (!isAtEnd) {
      isTurnQueued = true;
      lane.put(this::takeTurn);
    } else if (!hasFailed) {
      deadlines.set(this, PERIOD, () -> lane.put(this::takeTurn));
    }
  }

  private boolean release(Predicate<Waiting> which) {
    List<Waiting> released = waiting.stream().filter(which).toList();
    waiting.removeAll(Set.copyOf(released));
    released.forEach(task -> task.then.run());
    return !released.isEmpty();
  }

  private boolean follow(long begun) throws IOException {
    TextIndex index = opened;
    if (index == null) {
      index = open();
    }
    boolean isAtEnd = false;
    while (!isAtEnd && System.nanoTime() - begun < MAX_TURN.toNanos()) {
      Changes changes = store.changes(offset, kinds, CHANGES_AT_ONCE);
      index.apply(changes);
      hasUnseen |= !changes.added().isEmpty() || !changes.removed().isEmpty();
      hasRemoved |= !changes.removed().isEmpty();
      isAtEnd = changes.upTo() == offset;
      offset = changes.upTo();
    }
    if (hasUnseen && (isAtEnd || complete != null)) {
      index.refresh();
      hasUnseen = false;
    }
    currentOffset = offset;
    if (isAtEnd && complete == null) {
      commit(index);
      complete = index;
      LOG.info("The search index is complete: {} events", index.size());
    }
    keepFiles(index);
    return isAtEnd;
  }

  private TextIndex open() throws IOException {
    TextIndex index = TextIndex.open(directory, isDamaged, analyzer, kinds, store);
    opened = index;
    isDamaged = false;
    offset = index.offset();
    committedOffset = offset;
    if (index.hasRemoved()) {
      hasRemoved = true;
      erasedAt = System.nanoTime() - ERASE_PERIOD.toNanos(); // before the restart, perhaps long ago
    }
    if (offset == 0 && store.size() > 0) {
      LOG.info("The search index is being built; searches are refused until it is complete");
    }
    return index;
  }

  private void keepFiles(TextIndex index) throws IOException {
    long now = System.nanoTime();
    boolean isUncommitted = offset != committedOffset || index.isUncommitted();
    if (isUncommitted && now - committedAt > COMMIT_PERIOD.toNanos()) {
      commit(index);
    }
    if (hasRemoved && now - erasedAt > ERASE_PERIOD.toNanos()) {
      index.eraseRemoved();
      hasRemoved = false;
      erasedAt = now;
    }
  }

  private void commit(TextIndex index) throws IOException {
    index.commit(offset);
    committedOffset = offset;
    committedAt = System.nanoTime();
  }

  /**
   * Waits a little, so that many searches during many writes, each of which makes the index show
   * its changes, cost a part of one processor only.
   */
  private static void rest(long workedNanos) {
    LockSupport.parkNanos(Math.min(REST_FACTOR * workedNanos, MAX_REST.toNanos()));
  }

  /**
   * Closes an index that has failed; it is opened again after a while, whatever happens until then.
   */
  private void fail(Exception e) {
    LOG.error(
        "The search index has failed; it is opened again in {} s", RETRY_PERIOD.toSeconds(), e);
    isDamaged = isCausedByDamage(e);
    complete = null;
    hasFailed = true;
    deadlines.set(this, RETRY_PERIOD, () -> lane.put(this::retry));
    TextIndex failed = opened;
    opened = null;
    try {
      if (failed != null) {
        failed.close();
      }
    } catch (IOException | RuntimeException again) {
      LOG.warn("The files of the search index could not be closed", again);
    }
  }

  private void retry() {
    hasFailed = false;
    takeTurn();
  }

  /** Whether a checksum or a format in the files is wrong, also for the thread that merges. */
  private static boolean isCausedByDamage(Throwable e) {
    Throwable cause = e;
    while (cause != null && !(cause instanceof CorruptIndexException)) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  @Override
  public void close() {
    TextIndex index = opened;
    complete = null;
    if (index != null) {
      try (index) {
        index.commit(offset);
      } catch (IOException | RuntimeException e) {
        LOG.warn(
            "The search index could not be closed cleanly; it catches up at the next start", e);
      }
    }
  }
}
