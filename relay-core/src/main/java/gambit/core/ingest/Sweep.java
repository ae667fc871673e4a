package gambit.core.ingest;

import gambit.core.feature.WriteOutcome;
import gambit.core.ingest.Retention.Rule;
import gambit.core.lane.Deadlines;
import gambit.core.lane.Lane;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.store.EventStore;
import gambit.core.store.Query;
import gambit.core.store.Query.Page;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The periodic removal of expired, vanished and unwanted events: every minute, a portion in each
 * commit, queued after the writer's other requests. Then the store reclaims space, on a lane of its
 * own. One round at a time; its state is confined to the writer's thread.
 *
 * <p>Events that the {@link Retention} no longer keeps are removed rule by rule. Where other rules
 * or a feature keep some of the events that a rule covers, a round looks only at those that have
 * reached the rule's age since the last round. Once a day it looks at all of them, and finds also
 * those that arrived when they were older already.
 */
public final class Sweep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);
  private static final Duration INTERVAL = Duration.ofMinutes(1);
  private static final Duration BETWEEN_FULL_ROUNDS = Duration.ofDays(1);

  /** The most entries that one portion examines; they keep the writer busy for some 20 ms. */
  private static final int MAX_EXAMINED = 4_000;

  /** With more kinds, a rule's events are found by time; each kind costs a look at the index. */
  private static final int MAX_KINDS_IN_FILTER = 500;

  private final EventStore store;
  private final Writer writer;
  private final StorageRules rules;
  private final Lane lane;
  private final Deadlines deadlines;
  private final InstantSource time;
  private volatile Retention wanted;

  private @Nullable SweptEvents portion; // of the current commit; null at the end of the round
  private Retention retention = Retention.FOREVER;
  private @Nullable StoredEvent lastKept; // at the end of the oldest events that have been examined
  private int rule; // index of the current rule of this round; the number of rules at its end
  private @Nullable Query query; // of the current rule, once it has begun
  private final Map<Rule, Long> sweptUntil = new HashMap<>(); // created_at of rules with exceptions
  private final Set<Rule> rulesOfKept = new HashSet<>(); // that cover events kept for ever
  private @Nullable Instant lastFullRound;
  private boolean isFullRound;

  public Sweep(
      EventStore store,
      Writer writer,
      StorageRules rules,
      Retention retention,
      Lane lane,
      Deadlines deadlines,
      InstantSource time) {
    this.store = store;
    this.writer = writer;
    this.rules = rules;
    this.wanted = retention;
    this.lane = lane;
    this.deadlines = deadlines;
    this.time = time;
    scheduleNext();
  }

  /** Puts another retention in force, from the next round on. Any thread. */
  public void change(Retention changed) {
    wanted = changed;
  }

  /**
   * Numbers of events that a sweep has removed: of authors who have requested to vanish, expired
   * ones, and those beyond the retention of the operator, by age or size. Immutable.
   */
  record SweptEvents(int vanished, int expired, int unwanted) {
    static final SweptEvents NONE = new SweptEvents(0, 0, 0);

    int total() {
      return vanished + expired + unwanted;
    }

    SweptEvents plus(SweptEvents other) {
      return new SweptEvents(
          vanished + other.vanished, expired + other.expired, unwanted + other.unwanted);
    }
  }

  private void scheduleNext() {
    deadlines.set(this, INTERVAL, () -> sweep(System.nanoTime(), SweptEvents.NONE));
  }

  /** Removes a portion, and continues while there is more. */
  private void sweep(long roundStart, SweptEvents before) {
    writer.maintain(
        transaction -> {
          portion = removePortion(transaction, time.instant());
          return WriteOutcome.STORED;
        },
        outcome -> {
          SweptEvents removed = portion;
          if (outcome == WriteOutcome.STORED && removed != null) {
            sweep(roundStart, before.plus(removed));
            return;
          }
          if (outcome != WriteOutcome.STORED) {
            beginAnew();
          }
          logRound(before, System.nanoTime() - roundStart);
          lane.put(this::finishRound);
        });
  }

  private static void logRound(SweptEvents removed, long nanos) {
    if (removed.total() > 0) {
      LOG.info(
          "The sweep removed {} events in {} ms: {} expired, {} beyond store.retention or"
              + " store.max_bytes, {} of vanished authors",
          removed.total(),
          Duration.ofNanos(nanos).toMillis(),
          removed.expired(),
          removed.unwanted(),
          removed.vanished());
    }
  }

  /** Reclaims space, and has the store log whether there is room although no event arrives. */
  private void finishRound() {
    store.hasRoomForClients();
    reclaim();
  }

  private void reclaim() {
    boolean more = false;
    try {
      more = store.reclaim(time.instant());
    } finally {
      if (more) {
        lane.put(this::reclaim);
      } else {
        scheduleNext();
      }
    }
  }

  /** The next round begins with the first rule, and looks at all events. */
  private void beginAnew() {
    rule = 0;
    query = null;
    sweptUntil.clear();
    rulesOfKept.clear();
    lastKept = null;
    lastFullRound = null;
  }

  /** Removes what one commit may; null, and nothing is removed, if the round has ended. */
  private @Nullable SweptEvents removePortion(Transaction transaction, Instant now) {
    SweptEvents swept = rules.sweep(transaction, now);
    if (swept.total() > 0) {
      return swept;
    }
    boolean isClockSetBack = lastFullRound != null && now.isBefore(lastFullRound);
    if (isClockSetBack || !wanted.equals(retention)) {
      retention = wanted;
      beginAnew();
    }
    if (rule == 0 && query == null) {
      isFullRound = lastFullRound == null || !now.isBefore(lastFullRound.plus(BETWEEN_FULL_ROUNDS));
      lastFullRound = isFullRound ? now : lastFullRound;
      lastKept = isFullRound ? null : lastKept;
    }
    int removed = removeByAge(transaction, now);
    if (removed == 0 && rule == retention.rules().size()) {
      removed = removeBySize(transaction);
      if (removed < 0) {
        rule = 0;
        return null;
      }
    }
    return new SweptEvents(0, 0, removed);
  }

  /** Returns the number of removed events; rules may be left in this round even if it is 0. */
  private int removeByAge(Transaction transaction, Instant now) {
    int examined = 0;
    int removed = 0;
    while (rule < retention.rules().size()
        && examined < MAX_EXAMINED
        && removed < StorageRules.PORTION_EVENTS) {
      Rule current = retention.rules().get(rule);
      Query pages = query == null ? begin(current, now) : query;
      if (pages == null) {
        rule++;
        continue;
      }
      Page page = pages.next(StorageRules.PORTION_EVENTS - removed, Integer.MAX_VALUE);
      for (StoredEvent stored : page.found()) {
        if (rules.isKept(stored.event())) {
          rulesOfKept.add(current);
        } else if (current.equals(retention.ruleFor(stored.event()))) {
          transaction.remove(stored, Removal.OBSOLETE);
          removed++;
        }
      }
      examined += page.examined();
      query = page.isLast() ? null : pages;
      rule += page.isLast() ? 1 : 0;
    }
    return removed;
  }

  /** The events of a rule that are older than it allows; null if there can be none. */
  private @Nullable Query begin(Rule begun, Instant now) {
    Duration age = begun.age();
    long until = age == null ? -1 : now.getEpochSecond() - age.toSeconds();
    if (until < 0) {
      return null;
    }
    boolean isOfAllKinds = begun.kinds().isAll();
    boolean findsKinds = !isOfAllKinds && begun.kinds().stream().count() <= MAX_KINDS_IN_FILTER;
    Long since = null;
    if (retention.hasExceptions(rule)
        || rulesOfKept.contains(begun)
        || !(findsKinds || isOfAllKinds)) {
      since = isFullRound ? null : sweptUntil.get(begun);
      sweptUntil.put(begun, until);
    }
    Set<PubKey> authors = begun.authors().isEmpty() ? null : begun.authors();
    Set<Integer> kinds =
        findsKinds ? begun.kinds().stream().boxed().collect(Collectors.toSet()) : null;
    Filter old = new Filter(null, authors, kinds, Map.of(), since, until, null);
    return store.query(old, store.lastOffset());
  }

  /**
   * Removes a portion of the oldest events, if the store has more bytes than it may. Returns the
   * number of removed events, which may be 0 while there are more to examine; -1 at the end.
   */
  private int removeBySize(Transaction transaction) {
    long surplus = retention.maxBytes() == 0 ? 0 : store.bytes() - retention.maxBytes();
    List<StoredEvent> oldest =
        surplus > 0 ? transaction.oldest(StorageRules.PORTION_EVENTS, lastKept) : List.of();
    int removed = 0;
    for (StoredEvent stored : oldest) {
      if (surplus <= 0) {
        break;
      } else if (rules.isKept(stored.event())) {
        lastKept = stored;
      } else {
        surplus -= stored.event().json().length;
        transaction.remove(stored, Removal.OBSOLETE);
        removed++;
      }
    }
    return oldest.isEmpty() ? -1 : removed;
  }

  @Override
  public void close() {
    lane.abandon();
    deadlines.cancel(this);
  }
}
