package gambit.app.tool.sync;

import gambit.app.tool.client.RecentIds;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.peers.Direction;
import gambit.app.tool.peers.SyncFilter;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * One synchronization of two connected relays: by NIP-77, in smaller windows of time where a relay
 * does not compare so many events at once, and page by page where one does not have it. Owned by
 * the pair's thread.
 */
final class SyncRun {
  /** A window that is not divided further, in seconds; it is read page by page. */
  private static final long SMALLEST_WINDOW = 60;

  /** Refusals in a row: more than it takes to divide all of time into the smallest windows. */
  private static final int MAX_REFUSALS = 30;

  /** Comparisons in a row that a relay ends without a difference found. */
  private static final int MAX_TIMEOUTS = 3;

  /**
   * How events are moved.
   *
   * @param rate events a second in each direction; 0 for no limit
   */
  record Plan(Direction direction, int rate) {}

  private final NegentropyComparison reconciliation;
  private final PagedComparison pages;
  private final EventMover down;
  private final EventMover up;
  private final Optional<EventMover> downIfWanted;
  private final Optional<EventMover> upIfWanted;
  private final MoveCounts downCounts;
  private final MoveCounts upCounts;
  private String whyPages = "";
  private boolean isCompared;

  /**
   * Prepares a synchronization.
   *
   * @param refused what the relays have refused before, and are not sent again
   */
  SyncRun(RelayPair pair, Plan plan, RefusedByRelays refused, MoveObserver observer) {
    downCounts = new MoveCounts(observer, true);
    upCounts = new MoveCounts(observer, false);
    down =
        new EventMover(
            pair,
            pair.there(),
            pair.here(),
            new Pace(plan.rate(), System::nanoTime),
            downCounts,
            refused.here());
    up =
        new EventMover(
            pair,
            pair.here(),
            pair.there(),
            new Pace(plan.rate(), System::nanoTime),
            upCounts,
            refused.there());
    downIfWanted = Optional.of(down).filter(mover -> plan.direction().isDown());
    upIfWanted = Optional.of(up).filter(mover -> plan.direction().isUp());
    reconciliation = new NegentropyComparison(pair, downIfWanted, upIfWanted);
    pages = new PagedComparison(pair, downIfWanted, upIfWanted);
  }

  /**
   * What this relay and its peer have refused, such as deleted events, so that each comparison does
   * not move them again.
   */
  record RefusedByRelays(RecentIds here, RecentIds there) {
    private static final int MAX_EVENTS = 100_000;

    RefusedByRelays() {
      this(new RecentIds(MAX_EVENTS), new RecentIds(MAX_EVENTS));
    }
  }

  /**
   * Compares, and moves what is missing.
   *
   * @param pagesSince the time from which events are read page by page, if they must be; everything
   *     that is older was synchronized before
   */
  void run(SyncFilter filter, long pagesSince) throws RelayFailure {
    Deque<SyncFilter> windows = new ArrayDeque<>();
    windows.push(filter);
    int timeouts = 0;
    int refusals = 0;
    while (!windows.isEmpty()) {
      SyncFilter window = windows.pop();
      long before = differences();
      NegentropyComparison.Outcome outcome =
          whyPages.isEmpty()
              ? reconciliation.compare(window)
              : NegentropyComparison.Outcome.UNSUPPORTED;
      isCompared = windows.isEmpty() && outcome == NegentropyComparison.Outcome.COMPARED;
      moveAll();
      switch (outcome) {
        case COMPARED -> refusals = 0;
        case TIMED_OUT -> {
          timeouts = differences() > before ? 0 : timeouts + 1;
          if (timeouts > MAX_TIMEOUTS) {
            throw new RelayFailure(reconciliation.refusal());
          }
          windows.push(window);
        }
        case TOO_LARGE -> {
          divide(window, windows, pagesSince);
          if (++refusals > MAX_REFUSALS) { // it refuses all of them, not the large ones
            whyPages = reconciliation.refusal();
          }
        }
        case UNSUPPORTED -> {
          whyPages = whyPages.isEmpty() ? reconciliation.refusal() : whyPages;
          pages.run(window.within(pagesSince, SyncFilter.FOREVER));
        }
      }
    }
    down.retryRefused();
    up.retryRefused();
  }

  /** Nearly all events are of the past, so a window without an end is divided before now. */
  private void divide(SyncFilter window, Deque<SyncFilter> windows, long pagesSince)
      throws RelayFailure {
    long end = Math.min(window.until(), Instant.now().getEpochSecond());
    if (end - window.since() < SMALLEST_WINDOW) {
      pages.run(window.within(pagesSince, SyncFilter.FOREVER));
      return;
    }
    long middle = window.since() + (end - window.since()) / 2;
    windows.push(window.within(window.since(), middle));
    windows.push(window.within(middle + 1, window.until()));
  }

  private void moveAll() throws RelayFailure {
    down.moveAll();
    up.moveAll();
  }

  private long differences() {
    return downCounts.lacked() + upCounts.lacked();
  }

  /** After an interruption: waits a while for the answers to what was sent, which are counted. */
  void awaitAnswers(RelayPair pair) throws RelayFailure {
    pair.observe(() -> {});
    down.awaitAnswers();
    up.awaitAnswers();
  }

  /** The number of events in both directions that were moved, or will not be. */
  long done() {
    return downCounts.done() + upCounts.done();
  }

  /** The number of events to be moved in both directions; 0 until the comparison has ended. */
  long total() {
    return isCompared ? differences() : 0;
  }

  /** Why events were read page by page; empty if they were not. */
  String whyPages() {
    return whyPages;
  }

  /** Moves events to this relay, also if that is not wanted: then it has nothing to move. */
  EventMover down() {
    return down;
  }

  EventMover up() {
    return up;
  }

  MoveCounts downCounts() {
    return downCounts;
  }

  MoveCounts upCounts() {
    return upCounts;
  }
}
