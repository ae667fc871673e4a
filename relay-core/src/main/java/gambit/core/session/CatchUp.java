package gambit.core.session;

import gambit.core.lane.TakingTurns;
import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.store.Page;
import gambit.core.store.Query;
import gambit.core.store.StoredEvent;
import gambit.core.wire.Frame;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage;
import gambit.core.wire.RelayMessage.Completeness;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stored events of one subscription, page by page: the filters' results merged into one order
 * without repeats, each filter up to its own limit (NIP-01). Runs in turns that are bounded by what
 * they read and send ({@link QueryTurns}); between turns it waits until the client has taken what
 * was sent.
 */
final class CatchUp implements TakingTurns.Task, Outbox.Waiting {
  private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);

  /** Events a turn at most. */
  static final int PAGE = 100;

  /** Entries of the store that a turn looks at, about. */
  static final int EXAMINED = 2_000;

  /** Bytes that are read ahead for all filters together, about. */
  static final int AHEAD = 32 * 1024;

  private final Subscription subscription;
  private final Outbox outbox;
  private final RelayCore relay;
  private final QueryTurns turns;
  private final Consumer<Reason> failed;
  private final List<Source> sources;
  private boolean isScan;

  /**
   * Pages that have not begun.
   *
   * @param failed ends the subscription; called on any thread
   */
  CatchUp(
      Subscription subscription,
      long upTo,
      Outbox outbox,
      RelayCore relay,
      QueryTurns turns,
      Consumer<Reason> failed) {
    this.subscription = subscription;
    this.outbox = outbox;
    this.relay = relay;
    this.turns = turns;
    this.failed = failed;
    this.sources = subscription.filters().stream().map(filter -> new Source(filter, upTo)).toList();
  }

  @Override
  public void run() {
    try {
      turn();
    } catch (RuntimeException e) {
      LOG.error("A query failed; its subscription is closed", e);
      sources.forEach(Source::drop);
      failed.accept(Reason.error("the query failed"));
    }
  }

  private void turn() {
    if (isOver()) {
      sources.forEach(Source::drop);
      return;
    }
    sources.forEach(Source::forgetRemoved);
    int sent = 0;
    int examined = 0;
    while (sent < PAGE && examined < EXAMINED && outbox.isRoomy() && !isOver()) {
      Source unknown = firstUnknown();
      if (unknown != null) {
        examined += unknown.read();
        continue;
      }
      Frame next = takeNext();
      if (next == null) {
        var eose = new RelayMessage.EndOfStored(subscription.id(), completeness());
        relay.live().caughtUp(subscription, relay.store().lastOffset(), eose, this::standsIn);
        return;
      }
      outbox.sendReserved(next);
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
    turns.goOn(this, isScan);
  }

  @Override
  public boolean isOver() {
    return subscription.isClosed() || !outbox.isOpen();
  }

  private boolean shows(StoredEvent stored) {
    return relay.shows(stored, subscription.connection());
  }

  /**
   * Whether every stored event that matches has been sent, or that one has not (NIP-67), if that is
   * asked for and can be told: a filter that has found its limit is looked up further, up to the
   * next event that is served. Not one that may match guarded events: what the look finds or costs
   * would give them away.
   */
  private @Nullable Completeness completeness() {
    if (!relay.features().hintsCompleteness()) {
      return null;
    }
    boolean all = true;
    int examined = 0;
    for (Source source : sources) {
      boolean open = !relay.features().guards().mayGuard(source.filter);
      while (open && !source.isLast && examined < EXAMINED) {
        Page page = source.next(PAGE);
        examined += page.examined();
        for (StoredEvent stored : page.found()) {
          if (shows(stored)) {
            if (isOnlyFor(source, stored)) {
              return Completeness.MORE;
            }
            all = false;
          }
        }
        source.isLast = page.isLast();
      }
      all &= source.isLast;
    }
    return all ? Completeness.FINISH : null;
  }

  /** Whether no other filter may have found the event before. */
  private boolean isOnlyFor(Source source, StoredEvent stored) {
    return sources.stream().noneMatch(it -> it != source && it.filter.matches(stored.event()));
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
  private @Nullable Frame takeNext() {
    Head first = null;
    for (Source source : sources) {
      Head head = source.heads.peekFirst();
      if (head != null && (first == null || head.isBefore(first))) {
        first = head;
      }
    }
    if (first == null) {
      return null;
    }
    Frame frame = null;
    for (Source source : sources) {
      Head head = source.heads.peekFirst();
      if (head != null && head.stored.offset() == first.stored.offset()) {
        source.heads.removeFirst();
        if (frame == null) {
          frame = head.frame;
        } else {
          outbox.unreserve(head.frame);
        }
      }
    }
    return frame;
  }

  /** An event that was read; its bytes are reserved in the outbox. */
  private record Head(StoredEvent stored, Frame frame) {
    boolean isBefore(Head other) {
      return StoredEvent.SERVING_ORDER.compare(stored, other.stored) < 0;
    }
  }

  /** What one filter finds, read ahead by a page. */
  private final class Source {
    private final Filter filter;
    private final long upTo;
    private @Nullable Query query; // from the first page on
    private final Deque<Head> heads = new ArrayDeque<>();
    private int wanted;
    private boolean isLast; // whether the query has no more
    private boolean exhausted;

    Source(Filter filter, long upTo) {
      Limits limits = relay.limits();
      long limit = filter.limit() == null ? limits.defaultLimit() : filter.limit();
      this.filter = filter;
      this.upTo = upTo;
      this.wanted = (int) Math.min(limit, limits.maxLimit());
      this.isLast = filter.isImpossible();
      this.exhausted = isLast || wanted == 0;
    }

    private Page next(int max) {
      if (query == null) {
        query = relay.store().query(filter, upTo);
      }
      return query.next(max, AHEAD / sources.size());
    }

    /** Reads a page; returns what it cost. */
    int read() {
      Page page = next(Math.min(wanted, PAGE));
      for (StoredEvent stored : page.found()) {
        Frame frame = subscription.frameOf(stored.event());
        if (shows(stored) && outbox.reserve(frame)) {
          heads.add(new Head(stored, frame));
          wanted--;
        }
      }
      isLast = page.isLast();
      exhausted = isLast || wanted == 0;
      return page.examined();
    }

    /** What was read in an earlier turn may have been removed since. */
    void forgetRemoved() {
      List<Head> removed = heads.stream().filter(head -> !isStillServed(head)).toList();
      heads.removeAll(removed);
      removed.forEach(head -> outbox.unreserve(head.frame));
      wanted += removed.size();
      exhausted = isLast || wanted == 0;
    }

    private boolean isStillServed(Head head) {
      return relay.store().contains(head.stored.event().id()) && shows(head.stored);
    }

    void drop() {
      heads.forEach(head -> outbox.unreserve(head.frame));
      heads.clear();
    }
  }
}
