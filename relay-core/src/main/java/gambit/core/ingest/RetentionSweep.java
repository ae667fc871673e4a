package gambit.core.ingest;

import gambit.core.ingest.Retention.Rule;
import gambit.core.ingest.Sweep.SweptEvents;
import gambit.core.model.Filter;
import gambit.core.store.EventStore;
import gambit.core.store.Page;
import gambit.core.store.Query;
import gambit.core.store.Removal;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Removes the events that a {@link Retention} no longer keeps, rule by rule, a portion in each
 * transaction. Confined to the writer's thread.
 *
 * <p>Where other rules keep some of the events that a rule covers, a round looks only at those that
 * have reached the rule's age since the last round. Once a day it looks at all of them, and finds
 * also those that arrived when they were older already.
 */
final class RetentionSweep {
  /** The most entries that one portion examines; they keep the writer busy for some 20 ms. */
  private static final int MAX_EXAMINED = 4_000;

  /** With more kinds, a rule's events are found by time; each kind costs a look at the index. */
  private static final int MAX_KINDS_IN_FILTER = 500;

  private static final Duration BETWEEN_FULL_ROUNDS = Duration.ofDays(1);

  private final EventStore store;
  private Retention retention = Retention.FOREVER;
  private int rule; // index of the current rule of this round; the number of rules at its end
  private @Nullable Query query; // of the current rule, once it has begun
  private final Map<Rule, Long> sweptUntil = new HashMap<>(); // created_at of rules with exceptions
  private @Nullable Instant lastFullRound;
  private boolean isFullRound;

  RetentionSweep(EventStore store) {
    this.store = store;
  }

  /**
   * Removes a portion.
   *
   * @param wanted the retention that applies at the moment
   * @return without more once the round has ended
   */
  Sweep.Portion removePortion(Transaction transaction, Retention wanted, Instant now) {
    if (!wanted.equals(retention)) {
      retention = wanted;
      forget();
    }
    if (lastFullRound != null && now.isBefore(lastFullRound)) {
      forget(); // the clock was set back
    }
    if (rule == 0 && query == null) {
      isFullRound = lastFullRound == null || !now.isBefore(lastFullRound.plus(BETWEEN_FULL_ROUNDS));
      lastFullRound = isFullRound ? now : lastFullRound;
    }
    int removed = removeByAge(transaction, now);
    if (removed == 0 && rule == retention.rules().size()) {
      removed = removeBySize(transaction);
      if (removed == 0) {
        rule = 0;
        return Sweep.Portion.LAST;
      }
    }
    return new Sweep.Portion(new SweptEvents(0, 0, removed), true);
  }

  /** A portion was not committed: the next round begins anew, and looks at all events. */
  void forget() {
    rule = 0;
    query = null;
    sweptUntil.clear();
    lastFullRound = null;
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
        if (current.equals(retention.ruleFor(stored.event()))) {
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
    if (retention.hasExceptions(rule) || !(findsKinds || isOfAllKinds)) {
      since = isFullRound ? null : sweptUntil.get(begun);
      sweptUntil.put(begun, until);
    }
    Set<Integer> named =
        findsKinds ? begun.kinds().stream().boxed().collect(Collectors.toSet()) : null;
    Filter old =
        new Filter(
            null,
            begun.authors().isEmpty() ? null : begun.authors(),
            named,
            Map.of(),
            since,
            until,
            null);
    return store.query(old, store.lastOffset());
  }

  private int removeBySize(Transaction transaction) {
    long surplus = store.bytes() - retention.maxBytes();
    if (retention.maxBytes() == 0 || surplus <= 0) {
      return 0;
    }
    List<StoredEvent> oldest = oldest(transaction, surplus);
    oldest.forEach(stored -> transaction.remove(stored, Removal.OBSOLETE));
    return oldest.size();
  }

  /** The oldest events whose encodings add up to that number of bytes. */
  private static List<StoredEvent> oldest(Transaction transaction, long bytes) {
    List<StoredEvent> oldest = new ArrayList<>();
    long left = bytes;
    for (StoredEvent stored : transaction.oldest(StorageRules.PORTION_EVENTS)) {
      if (left <= 0) {
        break;
      }
      left -= stored.event().json().length;
      oldest.add(stored);
    }
    return oldest;
  }
}
