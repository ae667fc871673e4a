package gambit.chess.simulation;

import gambit.core.feature.Outgoing;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The events that have arrived and are not answered yet. */
final class UnansweredEvents {
  private final Map<Submission, Long> pending = new IdentityHashMap<>();
  private final Map<EventId, List<Submission>> byId = new HashMap<>();
  private final Map<PubKey, List<Submission>> byPlayer = new HashMap<>();
  private long answers;

  void arrived(Submission submission, long now) {
    pending.put(submission, now);
    add(byId, submission.event().id(), submission);
    add(byPlayer, submission.event().pubkey(), submission);
  }

  void answered(Outgoing.Answer answer) {
    Submission to = answer.to();
    InvariantChecker.check(
        pending.remove(to) != null,
        Invariant.ONE_ANSWER_PER_EVENT,
        () -> "a second answer, " + answer.ok() + ", to " + to.event());
    answers++;
    remove(byId, to.event().id(), to);
    remove(byPlayer, to.event().pubkey(), to);
  }

  /** Whether an event is not answered yet. */
  boolean isPending(Submission submission) {
    return pending.containsKey(submission);
  }

  /** An event is lost, and must not be answered any more. */
  void lost(Submission submission) {
    pending.remove(submission);
    remove(byId, submission.event().id(), submission);
    remove(byPlayer, submission.event().pubkey(), submission);
  }

  private static <K> void add(Map<K, List<Submission>> map, K key, Submission submission) {
    map.computeIfAbsent(key, k -> new ArrayList<>(1)).add(submission);
  }

  private static <K> void remove(Map<K, List<Submission>> map, K key, Submission submission) {
    map.computeIfPresent(
        key,
        (k, all) -> {
          all.removeIf(it -> it == submission);
          return all.isEmpty() ? null : all;
        });
  }

  /** The time of arrival of an unanswered event. */
  long arrivalOf(Submission submission) {
    return Objects.requireNonNull(pending.get(submission));
  }

  /** The unanswered arrivals of an event. */
  List<Submission> of(EventId id) {
    return byId.getOrDefault(id, List.of());
  }

  /** All unanswered events of a player. */
  Collection<Submission> of(PubKey player) {
    return byPlayer.getOrDefault(player, List.of());
  }

  void crashed() {
    pending.clear();
    byId.clear();
    byPlayer.clear();
  }

  void quiet() {
    if (!pending.isEmpty()) {
      Event event = pending.keySet().iterator().next().event();
      throw new Violation(Invariant.ONE_ANSWER_PER_EVENT, "no answer to " + event);
    }
  }

  long answers() {
    return answers;
  }
}
