package gambit.core.session;

import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.store.Page;
import gambit.core.store.Query;
import gambit.core.store.StoredEvent;
import gambit.core.wire.Frame;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stored events of one subscription, page by page: the filters' results merged into one order
 * without repeats, each filter up to its own limit (NIP-01). Runs on the query lane, in turns that
 * are bounded by what they read and send; between turns it waits until the client has taken what
 * was sent. Once a turn has looked at much without finding it, the query goes on among its like on
 * the scan lane, so that a long scan never holds up a short query.
 */
final class CatchUp implements Runnable, Outbox.Waiting {
  private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);

  /** Events a turn at most. */
  private static final int PAGE = 100;

  /** Entries of the store that a turn looks at, about. */
  private static final int EXAMINED = 2_000;

  private final Subscription subscription;
  private final Outbox outbox;
  private final RelayCore relay;
  private final List<Source> sources = new ArrayList<>();
  private boolean isScan;

  CatchUp(Subscription subscription, long upTo, Outbox outbox, RelayCore relay) {
    this.subscription = subscription;
    this.outbox = outbox;
    this.relay = relay;
    Limits limits = relay.limits();
    for (Filter filter : subscription.filters()) {
      long limit = filter.limit() == null ? limits.defaultLimit() : filter.limit();
      sources.add(new Source(filter, upTo, (int) Math.min(limit, limits.maxLimit())));
    }
  }

  @Override
  public void run() {
    try {
      turn();
    } catch (RuntimeException e) {
      LOG.error("A query failed; its subscription is closed", e);
      if (!subscription.isClosed()) {
        subscription.close();
        Reason reason = Reason.error("the query failed");
        Frame closed = new RelayMessage.Closed(subscription.id(), reason).frame();
        relay.live().unregister(subscription, () -> outbox.send(closed));
      }
    }
  }

  private void turn() {
    int sent = 0;
    int examined = 0;
    while (sent < PAGE && examined < EXAMINED && outbox.isRoomy()) {
      if (isOver()) {
        return;
      }
      Source unknown = firstUnknown();
      if (unknown != null) {
        examined += unknown.read();
        continue;
      }
      StoredEvent next = takeNext();
      if (next == null) {
        relay.live().caughtUp(subscription, relay.store().lastOffset(), this::standsIn);
        return;
      }
      outbox.send(subscription.frameOf(next.event()));
      sent++;
    }
    isScan |= examined >= EXAMINED;
    outbox.whenDrained(this);
  }

  /**
   * Tells whether a live event may stand in the place of a stored one that it has replaced before a
   * page could show it: it has an address, and a filter that it matches has not found its limit. On
   * the live lane, when the pages are done.
   */
  private boolean standsIn(Event newcomer) {
    if (Address.of(newcomer).isPresent()) {
      for (Source source : sources) {
        if (source.wanted > 0 && source.filter.matches(newcomer)) {
          source.wanted--;
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public void goOn() {
    (isScan ? relay.scans() : relay.queries()).put(this);
  }

  @Override
  public boolean isOver() {
    return subscription.isClosed() || !outbox.isOpen();
  }

  /** A source whose next event has still to be read. */
  private @Nullable Source firstUnknown() {
    for (Source source : sources) {
      if (source.heads.isEmpty() && !source.exhausted) {
        return source;
      }
    }
    return null;
  }

  /** The first of the sources' next events, taken from every source that has it. */
  private @Nullable StoredEvent takeNext() {
    StoredEvent first = null;
    for (Source source : sources) {
      StoredEvent head = source.heads.peekFirst();
      if (head != null && (first == null || StoredEvent.SERVING_ORDER.compare(head, first) < 0)) {
        first = head;
      }
    }
    if (first != null) {
      for (Source source : sources) {
        StoredEvent head = source.heads.peekFirst();
        if (head != null && head.offset() == first.offset()) {
          source.heads.removeFirst();
        }
      }
    }
    return first;
  }

  /** What one filter finds, read ahead by a page. */
  private final class Source {
    private final Filter filter;
    private final Query query;
    private final Deque<StoredEvent> heads = new ArrayDeque<>();
    private int wanted;
    private boolean exhausted;

    Source(Filter filter, long upTo, int limit) {
      this.filter = filter;
      this.query = relay.store().query(filter, upTo);
      this.wanted = limit;
      this.exhausted = limit == 0 || filter.isImpossible();
    }

    /** Reads a page; returns what it cost. */
    int read() {
      Page page = query.next(Math.min(wanted, PAGE));
      for (StoredEvent stored : page.found()) {
        if (relay.isServed().test(stored)) {
          heads.add(stored);
          wanted--;
        }
      }
      exhausted = page.isLast() || wanted == 0;
      return page.examined();
    }
  }
}
