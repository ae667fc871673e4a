package gambit.app.tool.sync;

import gambit.app.tool.client.ReceivedMessage;
import gambit.app.tool.client.RecentIds;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelaySession;
import gambit.app.tool.sync.MoveCounts.Fate;
import gambit.app.tool.sync.PeerSettings.Direction;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One synchronization of two connected relays: by NIP-77, in smaller windows of time where a relay
 * does not compare so many events at once, and page by page where one does not have it. Owned by
 * the pair's thread.
 */
public final class SyncRun {
  /** A window that is not divided further, in seconds; it is read page by page. */
  private static final long SMALLEST_WINDOW = 60;

  /** Refusals in a row: more than it takes to divide all of time into the smallest windows. */
  private static final int MAX_REFUSALS = 30;

  /** Comparisons in a row that a relay ends without a difference found. */
  private static final int MAX_TIMEOUTS = 3;

  private final RelayPair pair;
  private final NegentropyComparison comparison;
  final EventMover down;
  final EventMover up;
  private String whyPages = "";
  private boolean isCompared;

  /** Moves up to that many events a second in each direction, or any number if it is 0. */
  public SyncRun(
      RelayPair pair,
      Direction direction,
      int rate,
      RefusedByRelays refused,
      MoveCounts.MoveObserver observer) {
    this.pair = pair;
    MoveCounts here = new MoveCounts(observer, true);
    MoveCounts there = new MoveCounts(observer, false);
    down =
        new EventMover(pair, pair.there, pair.here, direction.isDown(), rate, here, refused.here());
    up =
        new EventMover(pair, pair.here, pair.there, direction.isUp(), rate, there, refused.there());
    comparison = new NegentropyComparison(pair, down, up);
  }

  /** What the relays have refused, such as deleted events, so that they are not sent again. */
  public record RefusedByRelays(RecentIds here, RecentIds there) {
    private static final int MAX_EVENTS = 100_000;

    public RefusedByRelays() {
      this(new RecentIds(MAX_EVENTS), new RecentIds(MAX_EVENTS));
    }
  }

  /**
   * Compares, and moves what is missing. Where events must be read page by page, they are from that
   * time on: everything that is older was synchronized before.
   */
  public void run(SyncFilter filter, long pagesSince) throws RelayFailure {
    Deque<SyncFilter> windows = new ArrayDeque<>();
    windows.push(filter);
    int timeouts = 0;
    int refusals = 0;
    while (!windows.isEmpty()) {
      SyncFilter window = windows.pop();
      long before = differences();
      NegentropyComparison.Outcome outcome =
          whyPages.isEmpty()
              ? comparison.compare(window)
              : NegentropyComparison.Outcome.UNSUPPORTED;
      isCompared = windows.isEmpty() && outcome == NegentropyComparison.Outcome.COMPARED;
      down.moveAll();
      up.moveAll();
      switch (outcome) {
        case COMPARED -> refusals = 0;
        case TIMED_OUT -> {
          timeouts = differences() > before ? 0 : timeouts + 1;
          if (timeouts > MAX_TIMEOUTS) {
            throw new RelayFailure(comparison.refusal());
          }
          windows.push(window);
        }
        case TOO_LARGE -> {
          divide(window, windows, pagesSince);
          if (++refusals > MAX_REFUSALS) { // it refuses all of them, not the large ones
            whyPages = comparison.refusal();
          }
        }
        case UNSUPPORTED -> {
          whyPages = whyPages.isEmpty() ? comparison.refusal() : whyPages;
          readPages(window.within(pagesSince, SyncFilter.FOREVER));
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
      readPages(window.within(pagesSince, SyncFilter.FOREVER));
      return;
    }
    long middle = window.since() + (end - window.since()) / 2;
    windows.push(window.within(window.since(), middle));
    windows.push(window.within(middle + 1, window.until()));
  }

  /**
   * Synchronizes without NIP-77: reads the events of the peer page by page, moves them here, and
   * moves there what this relay has in the same window and the peer has not served.
   */
  private void readPages(SyncFilter filter) throws RelayFailure {
    EventPages pages = new EventPages(pair, pair.there, filter);
    Set<EventId> theirs = new HashSet<>();
    for (var page = pages.next(); page.isPresent(); page = pages.next()) {
      for (Event event : page.get().events()) {
        theirs.add(event.id());
        down.add(event);
      }
      down.moveAll();
      SyncFilter window = filter.within(page.get().after() + 1, page.get().until());
      if (up.isWanted && window.since() <= window.until()) {
        moveUp(window, theirs);
      }
      theirs = new HashSet<>(pages.known);
    }
  }

  private void moveUp(SyncFilter window, Set<EventId> theirs) throws RelayFailure {
    EventPages pages = new EventPages(pair, pair.here, window);
    for (var page = pages.next(); page.isPresent(); page = pages.next()) {
      for (Event event : page.get().events()) {
        if (!theirs.contains(event.id())) {
          up.add(event);
        }
      }
      up.moveAll();
    }
  }

  private long differences() {
    return downCounts().get(Fate.LACKED) + upCounts().get(Fate.LACKED);
  }

  /** After an interruption: waits a while for the answers to what was sent, which are counted. */
  public void awaitAnswers() {
    pair.observe(() -> {});
    try {
      down.awaitAnswers();
      up.awaitAnswers();
    } catch (RelayFailure e) {
      // some are not counted
    }
  }

  public long done() {
    return downCounts().done() + upCounts().done();
  }

  /** The number of events to be moved in both directions; 0 until the comparison has ended. */
  public long total() {
    return isCompared ? differences() : 0;
  }

  /** Why events were read page by page; empty if they were not. */
  public String whyPages() {
    return whyPages;
  }

  public MoveCounts downCounts() {
    return down.counts;
  }

  public MoveCounts upCounts() {
    return up.counts;
  }

  /**
   * The events of one relay that match a filter, page by page from the newest: each REQ begins with
   * the second in which the page before it ended. A second with more events than a page is read by
   * one REQ; what the relay does not serve for it is not read. Owned by the pair's thread.
   */
  private static final class EventPages {
    private static final int EVENTS_OF_A_PAGE = 250;

    /** The events of a second that are read, of those that do not fit in a page. */
    private static final int EVENTS_OF_A_SECOND = 5000;

    /** A later {@code created_at} than now from which on events are not read, in seconds. */
    private static final long MAX_AHEAD = 86_400;

    private static final long BYTES_OF_A_PAGE = 16 << 20;
    private static final int MAX_UNREQUESTED = 1000;
    private static final Duration PAGE_TIMEOUT = Duration.ofMinutes(5);

    /** New events, and the seconds about which all is known: after the first, until the last. */
    record Page(List<Event> events, long after, long until) {}

    private final RelayPair pair;
    private final RelaySession relay;
    private final SyncFilter filter;
    private final int eventsOfAPage;

    /** The second with which the next page begins. */
    private long next;

    /** The events of that second that were in pages. */
    private Set<EventId> known = Set.of();

    private int unrequested;
    private long bytes;
    private boolean isEnded;

    EventPages(RelayPair pair, RelaySession relay, SyncFilter filter) {
      this.pair = pair;
      this.relay = relay;
      this.filter = filter;
      this.eventsOfAPage = Math.min(EVENTS_OF_A_PAGE, relay.limits().events());
      this.next = Math.min(filter.until(), Instant.now().getEpochSecond() + MAX_AHEAD);
    }

    /** The next page; empty after the last one, whose window has the rest of the filter's. */
    Optional<Page> next() throws RelayFailure {
      if (next < filter.since()) {
        return Optional.empty();
      }
      long until = next;
      List<Event> page = read(filter.within(filter.since(), until), eventsOfAPage);
      long oldest = page.stream().mapToLong(Event::createdAt).min().orElse(filter.since() - 1);
      long after = oldest == until ? until - 1 : oldest;
      if (oldest == until && page.size() >= eventsOfAPage) {
        page = readSecond(until, page); // a page that begins with that second is the same
      }
      Set<EventId> before = known;
      List<Event> fresh = page.stream().filter(event -> !before.contains(event.id())).toList();
      next = after;
      known =
          page.stream()
              .filter(event -> event.createdAt() == after)
              .map(Event::id)
              .collect(Collectors.toSet());
      return Optional.of(new Page(fresh, after, until));
    }

    private List<Event> readSecond(long second, List<Event> page) throws RelayFailure {
      Map<EventId, Event> events = new LinkedHashMap<>();
      page.forEach(event -> events.put(event.id(), event));
      read(filter.within(second, second), Math.min(EVENTS_OF_A_SECOND, relay.limits().events()))
          .forEach(event -> events.put(event.id(), event));
      return List.copyOf(events.values());
    }

    private List<Event> read(SyncFilter window, int limit) throws RelayFailure {
      List<Event> events = new ArrayList<>();
      bytes = 0;
      isEnded = false;
      String id =
          relay.subscribe(window.json(limit), message -> receive(message, window, limit, events));
      pair.await(() -> isEnded, relay, PAGE_TIMEOUT);
      relay.unsubscribe(id);
      return events;
    }

    private void receive(ReceivedMessage message, SyncFilter window, int limit, List<Event> events)
        throws RelayFailure {
      String verb = message.verb();
      if (verb.equals("EVENT") && !isEnded) {
        Optional<Event> event = message.event().filter(window::includesTimeOf);
        if (event.isPresent()) {
          events.add(event.get());
          bytes += event.get().json().length;
        } else if (++unrequested > MAX_UNREQUESTED) {
          throw new RelayFailure(relay.name() + " sends events that were not requested.");
        }
        isEnded = events.size() >= limit || bytes > BYTES_OF_A_PAGE;
      } else if (verb.equals("EOSE")) {
        isEnded = true;
      } else if (verb.equals("CLOSED")) {
        if (limit == eventsOfAPage) { // not every relay takes a large limit
          throw new RelayFailure(relay.name() + " refused a query: " + message.text(2));
        }
        isEnded = true;
      }
    }
  }
}
