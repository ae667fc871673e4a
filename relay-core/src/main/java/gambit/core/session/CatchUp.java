package gambit.core.session;

import gambit.core.lane.Lane;
import gambit.core.live.Live;
import gambit.core.model.Filter;
import gambit.core.store.EventStore;
import gambit.core.store.StoredEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stored events of one subscription, page by page: the filters' results merged into one order
 * without repeats, each filter up to its own limit (NIP-01). Runs on the query lane, one page a
 * turn, so that many take turns; between pages it waits until the client has taken the last one.
 */
final class CatchUp implements Runnable {
  /** Events a turn at most. */
  private static final int PAGE = 100;

  private final Subscription subscription;
  private final Outbox outbox;
  private final EventStore store;
  private final Live live;
  private final Lane queries;
  private final List<Source> sources = new ArrayList<>();
  private @Nullable StoredEvent last;

  CatchUp(
      Subscription subscription,
      long upTo,
      Outbox outbox,
      EventStore store,
      Live live,
      Lane queries,
      Limits limits) {
    this.subscription = subscription;
    this.outbox = outbox;
    this.store = store;
    this.live = live;
    this.queries = queries;
    for (Filter filter : subscription.filters()) {
      long limit = filter.limit() == null ? limits.defaultLimit() : filter.limit();
      sources.add(new Source(filter, upTo, (int) Math.min(limit, limits.maxLimit())));
    }
  }

  @Override
  public void run() {
    for (int sent = 0; sent < PAGE && outbox.isRoomy(); sent++) {
      if (subscription.isClosed() || !outbox.isOpen()) {
        return;
      }
      StoredEvent next = takeNext();
      if (next == null) {
        live.caughtUp(subscription);
        return;
      }
      outbox.send(subscription.frameOf(next.event()));
    }
    outbox.whenDrained(() -> queries.put(this));
  }

  /** The next event in serving order that was not sent yet. */
  private @Nullable StoredEvent takeNext() {
    Source first = null;
    for (Source source : sources) {
      StoredEvent head = source.head();
      boolean sent = last != null && head != null && head.offset() == last.offset();
      if (sent) {
        source.take();
        head = source.head();
      }
      if (head != null
          && (first == null
              || StoredEvent.SERVING_ORDER.compare(head, first.heads.getFirst()) < 0)) {
        first = source;
      }
    }
    last = first == null ? null : first.take();
    return last;
  }

  /** What one filter finds, read ahead by a page. */
  private final class Source {
    private final Filter filter;
    private final long upTo;
    private final Deque<StoredEvent> heads = new ArrayDeque<>();
    private int wanted;
    private @Nullable StoredEvent lastRead;

    Source(Filter filter, long upTo, int limit) {
      this.filter = filter;
      this.upTo = upTo;
      this.wanted = limit;
    }

    @Nullable StoredEvent head() {
      if (heads.isEmpty() && wanted > 0) {
        int max = Math.min(wanted, PAGE);
        heads.addAll(store.page(filter, upTo, lastRead, max));
        wanted = heads.size() < max ? 0 : wanted - max;
        lastRead = heads.peekLast();
      }
      return heads.peekFirst();
    }

    StoredEvent take() {
      return heads.removeFirst();
    }
  }
}
