package gambit.app.tool.sync;

import gambit.app.tool.client.ReceivedMessage;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelaySession;
import gambit.app.tool.peers.SyncFilter;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The events of one relay that match a filter, page by page from the newest: each REQ begins with
 * the second in which the page before it ended. A second with more events than a page is read by
 * one REQ; what the relay does not serve for it is not read. Owned by the pair's thread.
 */
final class EventPages {
  private static final int EVENTS_OF_A_PAGE = 250;

  /** The events of a second that are read, of those that do not fit in a page. */
  private static final int EVENTS_OF_A_SECOND = 5000;

  /** A later {@code created_at} than now from which on events are not read, in seconds. */
  private static final long MAX_AHEAD = 86_400;

  private static final long BYTES_OF_A_PAGE = 16 << 20;
  private static final int MAX_UNREQUESTED = 1000;
  private static final Duration PAGE_TIMEOUT = Duration.ofMinutes(5);

  /**
   * New events, and the window about which everything is known now.
   *
   * @param after the second before the window, or the end of everything
   * @param until the last second of the window
   */
  record Page(List<Event> events, long after, long until) {}

  private final RelayPair pair;
  private final RelaySession relay;
  private final SyncFilter filter;
  private final int eventsOfAPage;

  /** The second with which the next page begins, and the events of it that are known. */
  private long next;

  private Set<EventId> known = new HashSet<>();
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

  /** The events of the second in which the last page ended, as far as they were in pages. */
  Set<EventId> known() {
    return known;
  }

  /** The next page; empty after the last one, whose window has the rest of the filter's. */
  Optional<Page> next() throws RelayFailure {
    if (next < filter.since()) {
      return Optional.empty();
    }
    long until = next;
    List<Event> page = read(filter.within(filter.since(), until), eventsOfAPage);
    if (page.isEmpty()) {
      next = filter.since() - 1;
      known = new HashSet<>();
      return Optional.of(new Page(List.of(), next, until));
    }
    long oldest = page.stream().mapToLong(Event::createdAt).min().getAsLong();
    if (oldest == until) {
      List<Event> fresh = fresh(page);
      if (page.size() >= eventsOfAPage) { // a page that begins with that second is the same
        fresh = fresh(readSecond(until, page));
      }
      next = until - 1;
      known = new HashSet<>();
      return Optional.of(new Page(fresh, next, until));
    }
    List<Event> fresh = fresh(page);
    next = oldest;
    known = new HashSet<>();
    for (Event event : page) {
      if (event.createdAt() == oldest) {
        known.add(event.id());
      }
    }
    return Optional.of(new Page(fresh, oldest, until));
  }

  private List<Event> readSecond(long second, List<Event> page) throws RelayFailure {
    Map<EventId, Event> events = new LinkedHashMap<>();
    page.forEach(event -> events.put(event.id(), event));
    read(filter.within(second, second), Math.min(EVENTS_OF_A_SECOND, relay.limits().events()))
        .forEach(event -> events.put(event.id(), event));
    return List.copyOf(events.values());
  }

  private List<Event> fresh(List<Event> events) {
    return events.stream().filter(event -> !known.contains(event.id())).toList();
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
