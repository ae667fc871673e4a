package gambit.core.session;

import gambit.core.limit.Limits;

import gambit.core.limit.Limit;

import gambit.core.crypto.Draft;
import gambit.core.lane.TurnQueue;
import gambit.core.live.CurrentState;
import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.store.Page;
import gambit.core.store.Query;
import gambit.core.store.StoredEvent;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage;
import gambit.core.wire.RelayMessage.Completeness;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stored events of one subscription, and how things are that it asks for, page by page: the
 * filters' results merged into one order without repeats, each filter up to its own limit (NIP-01).
 * Runs in turns that are bounded by what they read, sign and send ({@link QueryTurns}); between
 * turns it waits until the client has taken what was sent.
 */
final class CatchUp implements TurnQueue.Task, Outbox.Waiting {
  private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);

  /** Events a turn at most. */
  static final int PAGE = 100;

  /** Entries of the store that a turn looks at, about. */
  static final int EXAMINED = 2_000;

  /** What a turn does with states, about, in units of looking at one: 10 µs if it is new. */
  private static final int STATES = 200;

  /** What a signature costs in this unit. */
  private static final int SIGNATURE = 4;

  /** Bytes that are read ahead for all filters together, about. */
  static final int AHEAD = 32 * 1024;

  private final Subscription subscription;
  private final Outbox outbox;
  private final RelayCore relay;
  private final QueryTurns turns;
  private final Consumer<Reason> failed;
  private final List<Source> sources;
  private boolean isScan;
  private int stateWork; // in this turn

  /**
   * Pages that have not begun.
   *
   * @param states for each filter the current states that may match
   * @param failed ends the subscription; called on any thread
   */
  CatchUp(
      Subscription subscription,
      long upTo,
      List<List<CurrentState>> states,
      Outbox outbox,
      RelayCore relay,
      QueryTurns turns,
      Consumer<Reason> failed) {
    this.subscription = subscription;
    this.outbox = outbox;
    this.relay = relay;
    this.turns = turns;
    this.failed = failed;
    List<Filter> filters = subscription.filters();
    this.sources =
        IntStream.range(0, filters.size())
            .mapToObj(i -> new Source(filters.get(i), upTo, states.get(i)))
            .toList();
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
    stateWork = 0;
    while (sent < PAGE
        && examined < EXAMINED
        && stateWork < STATES
        && outbox.isRoomy()
        && !isOver()) {
      Source unknown = firstUnknown();
      if (unknown != null) {
        examined += unknown.read();
        continue;
      }
      Event next = next();
      if (next == null) {
        var eose = new RelayMessage.EndOfStored(subscription.id(), completeness());
        relay
            .live()
            .caughtUp(subscription, relay.stored().store().lastOffset(), eose, this::standsIn);
        return;
      }
      send(next);
      sent++;
    }
    isScan |= examined >= EXAMINED;
    outbox.whenRoomy(this);
  }

  /**
   * Tells whether a live event may stand in the place of a stored one that it has replaced before a
   * page could show it: it has an address, and a filter that it matches has not found its limit. On
   * the live lane, when the pages are done.
   */
  private boolean standsIn(Event newcomer) {
    relay.live().assertCurrent();
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
    if (!relay.features().hintsCompleteness() || sources.stream().anyMatch(it -> it.isCut)) {
      return null;
    }
    boolean all = true;
    int examined = 0;
    for (Source source : sources) {
      boolean open = !relay.features().guards().mayGuard(source.filter);
      while (open && !source.isLast && examined < EXAMINED) {
        Page page = source.page(PAGE);
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
      if (source.isUnknown()) {
        return source;
      }
    }
    return null;
  }

  /** The first of the sources' next events; nothing when all is sent. */
  private @Nullable Event next() {
    Event first = null;
    for (Source source : sources) {
      Event next = source.next();
      if (next != null && (first == null || Event.SERVING_ORDER.compare(next, first) < 0)) {
        first = next;
      }
    }
    return first;
  }

  /** Takes an event from every source that has it, and sends it once. */
  private void send(Event event) {
    ReservedFrame frame = null;
    for (Source source : sources) {
      if (event.equals(source.next())) {
        ReservedFrame taken = source.take();
        if (frame == null) {
          frame = taken;
        } else if (taken != null) {
          outbox.unreserve(taken);
        }
      }
    }
    if (frame != null) {
      outbox.sendReserved(frame);
    }
  }

  /** An event that was read; its bytes are reserved in the outbox. */
  private record Head(StoredEvent stored, ReservedFrame frame) {}

  /**
   * What one filter finds: stored events, read ahead by a page, and the states that match. What is
   * left of its limit is {@code wanted} and what was read ahead.
   */
  private final class Source {
    private final Filter filter;
    private final long upTo;
    private Iterator<CurrentState> candidates; // until they are looked at
    private final Deque<Draft> states =
        new ArrayDeque<>(0); // in serving order once all are looked at
    private boolean isCut; // whether a stored event has given its place to a state
    private @Nullable Query query; // from the first page on
    private final Deque<Head> heads = new ArrayDeque<>();
    private int wanted;
    private boolean isLast; // whether the query has no more
    private boolean exhausted;

    Source(Filter filter, long upTo, List<CurrentState> candidates) {
      Limits limits = relay.bounds().limits();
      long limit = filter.limit() == null ? limits.get(Limit.DEFAULT_LIMIT) : filter.limit();
      this.filter = filter;
      this.upTo = upTo;
      this.wanted = (int) Math.min(limit, limits.get(Limit.MAX_LIMIT));
      this.isLast = filter.isImpossible();
      this.exhausted = isLast || wanted == 0;
      this.candidates = exhausted ? Collections.emptyIterator() : candidates.iterator();
    }

    private Page page(int max) {
      if (query == null) {
        query = relay.stored().store().query(filter, upTo);
      }
      return query.next(max, AHEAD / sources.size());
    }

    /** Whether its next event is still to be found out. */
    boolean isUnknown() {
      return candidates.hasNext() || (heads.isEmpty() && !exhausted);
    }

    /** Looks at some states or reads a page; returns what the page cost. */
    int read() {
      if (candidates.hasNext()) {
        look();
        return 0;
      }
      Page page = page(outbox.isScarce() ? 1 : Math.min(wanted, PAGE));
      for (StoredEvent stored : page.found()) {
        ReservedFrame frame =
            shows(stored) ? outbox.reserve(subscription.frameOf(stored.event())) : null;
        if (frame != null) {
          heads.add(new Head(stored, frame));
          wanted--;
        }
      }
      isLast = page.isLast();
      exhausted = isLast || wanted == 0;
      return page.examined();
    }

    /** Takes the newest states that match, as far as the turn goes. */
    private void look() {
      List<Draft> found = new ArrayList<>(states);
      while (stateWork < STATES && candidates.hasNext() && found.size() < wanted) {
        Draft draft = candidates.next().draft();
        Event event = draft.unsigned();
        if (filter.matches(event)
            && relay.features().guards().mayRead(event, subscription.connection())) {
          found.add(draft);
        }
        stateWork++;
      }
      if (!candidates.hasNext() || found.size() == wanted) {
        candidates = Collections.emptyIterator(); // and nothing is kept of them
      }
      found.sort(Comparator.comparing(Draft::unsigned, Event.SERVING_ORDER));
      states.clear();
      states.addAll(found);
    }

    /** Its next event, which is not taken yet. */
    @Nullable Event next() {
      Draft state = states.peekFirst();
      Head head = heads.peekFirst();
      Event stored = head == null ? null : head.stored.event();
      if (state == null) {
        return stored;
      }
      Event event = state.unsigned();
      return stored == null || Event.SERVING_ORDER.compare(event, stored) < 0 ? event : stored;
    }

    /** Takes its next event; no frame when the client is being disconnected. */
    @Nullable ReservedFrame take() {
      Head head = heads.peekFirst();
      ReservedFrame frame;
      if (head != null && head.stored.event().equals(next())) {
        heads.removeFirst();
        frame = head.frame;
      } else {
        frame = takeState();
      }
      if (wanted == 0 && heads.isEmpty()) {
        states.clear();
      }
      return frame;
    }

    private @Nullable ReservedFrame takeState() {
      if (wanted > 0) {
        wanted--;
        exhausted = isLast || wanted == 0;
      } else {
        outbox.unreserve(heads.removeLast().frame);
        isCut = true;
      }
      stateWork += SIGNATURE;
      return outbox.reserve(subscription.frameOf(states.removeFirst().signed()));
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
      return relay.stored().store().contains(head.stored.event().id()) && shows(head.stored);
    }

    void drop() {
      heads.forEach(head -> outbox.unreserve(head.frame));
      heads.clear();
    }
  }
}
