package gambit.app.tool.sync;

import gambit.app.tool.client.RecentIds;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What becomes of the events that one synchronization does not move in one direction: some are
 * moved once more at its end, some by a later one, and the others are remembered as refused. Owned
 * by the pair's thread.
 */
final class Refusals {
  private static final int MAX_INVALID = 10_000;
  private static final int MAX_RETRIED = 100_000;

  /** Events of older games are not waited for, since they may never have a record. */
  private static final long LONGEST_GAME_SECONDS = 30L * 86_400;

  /** The events of chess, which may have to wait for another event of their game. */
  private static final Set<Integer> CHESS_KINDS = Set.of(64, 5000, 5001, 5002, 5003);

  /**
   * A move of kind 30, which the peer has no reason to refuse: a false one is its author's fault.
   */
  private static final int FOREIGN_MOVE = 30;

  private record Retried(String reason, long createdAt) {}

  private final MoveCounts counts;
  private final RecentIds before;
  private final Map<EventId, Retried> retried = new LinkedHashMap<>();

  /** Events that the target refused in earlier synchronizations are known. */
  Refusals(MoveCounts counts, RecentIds before) {
    this.counts = counts;
    this.before = before;
  }

  boolean contains(EventId id) {
    return before.contains(id);
  }

  void add(Event event, String reason) {
    if (!CHESS_KINDS.contains(event.kind())) {
      addForGood(event, reason);
    } else if (retried.size() < MAX_RETRIED) {
      retried.put(event.id(), new Retried(reason, event.createdAt()));
    } else {
      leave(new Retried(reason, event.createdAt()));
    }
  }

  /** An event is not moved again, unless it was refused because of an error. */
  void addForGood(Event event, String reason) {
    counts.refuse(reason, reason.startsWith("invalid:") && event.kind() != FOREIGN_MOVE);
    if (reason.startsWith("error:")) {
      counts.leave(event.createdAt());
    } else {
      before.add(event.id());
    }
  }

  /** The number of events that may be taken when they are moved once more. */
  int retried() {
    return retried.size();
  }

  List<EventId> removeRetried() {
    List<EventId> ids = List.copyOf(retried.keySet());
    retried.clear();
    return ids;
  }

  /** Leaves these events to a later synchronization: the record of their game may exist by then. */
  void leaveRetried() {
    retried.values().forEach(this::leave);
    retried.clear();
  }

  private void leave(Retried event) {
    counts.refuse(event.reason);
    if (event.createdAt > Instant.now().getEpochSecond() - LONGEST_GAME_SECONDS) {
      counts.leave(event.createdAt);
    }
  }

  /** Whether the source has sent so many invalid events that it is faulty or hostile. */
  boolean areTooManyInvalid() {
    return counts.invalid() > MAX_INVALID;
  }
}
