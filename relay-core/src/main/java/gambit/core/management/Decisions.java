package gambit.core.management;

import gambit.core.management.ModerationDecision.Verdict;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.nip.Allowances;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.Reason;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The decisions in force, at most one for each subject and {@value #MAX} in all. Thread-safe. */
public final class Decisions implements Allowances {
  /** The most decisions; further ones are refused until some are lifted. */
  static final int MAX = 100_000;

  private final Map<Subject, ModerationDecision> bySubject = new ConcurrentHashMap<>();

  Decisions() {}

  /**
   * The decisions in a store.
   *
   * @param rows the rows of the table {@value ManagementRows#TABLE}
   * @throws gambit.core.feature.UnreadableRows when one of them cannot be read
   */
  public static Decisions read(Map<String, byte[]> rows) {
    Decisions read = new Decisions();
    ManagementRows.decisions(rows).forEach(it -> read.bySubject.put(it.subject(), it));
    return read;
  }

  /** Why an event must not be stored; nothing if it may be. */
  public Optional<Reason> objection(Event event) {
    if (bySubject.isEmpty()) {
      return Optional.empty();
    }
    if (isBanned(new Subject.OneKind(event.kind()))) {
      return Optional.of(Reason.blocked("kind " + event.kind() + " is not taken here"));
    }
    if (isBanned(new Subject.Author(event.pubkey()))
        && !AdmissionPolicy.isExemptVanishRequest(event)) {
      return Optional.of(Reason.blocked("events of this author are not taken here"));
    }
    return isBanned(new Subject.OneEvent(event.id()))
        ? Optional.of(Reason.blocked("this event is not taken here"))
        : Optional.empty();
  }

  boolean isBanned(Subject subject) {
    return has(subject, Verdict.BANNED);
  }

  /** Whether clients at the address are refused. */
  boolean refuse(ClientAddress address) {
    return !bySubject.isEmpty() && isBanned(new Subject.Address(address));
  }

  @Override
  public boolean allowAuthor(PubKey author) {
    return has(new Subject.Author(author), Verdict.ALLOWED);
  }

  @Override
  public boolean allowKind(int kind) {
    return has(new Subject.OneKind(kind), Verdict.ALLOWED);
  }

  boolean has(Subject subject, Verdict verdict) {
    ModerationDecision decision = bySubject.get(subject);
    return decision != null && decision.verdict() == verdict;
  }

  /** The decision on a subject; null if there is none. */
  @Nullable ModerationDecision on(Subject subject) {
    return bySubject.get(subject);
  }

  /** Whether there is room for a decision on the subject. */
  boolean hasRoomFor(Subject subject) {
    return bySubject.size() < MAX || bySubject.containsKey(subject);
  }

  /** Replaces the decision on a subject; null lifts it. */
  void put(Subject subject, @Nullable ModerationDecision decision) {
    if (decision == null) {
      bySubject.remove(subject);
    } else {
      bySubject.put(subject, decision);
    }
  }

  /** Takes a decision back, unless the subject's has been replaced by another one meanwhile. */
  void undo(
      Subject subject, @Nullable ModerationDecision decision, @Nullable ModerationDecision before) {
    bySubject.computeIfPresent(subject, (key, now) -> now.equals(decision) ? before : now);
    if (decision == null && before != null) {
      bySubject.putIfAbsent(subject, before);
    }
  }

  /** All decisions, the oldest first. */
  List<ModerationDecision> all() {
    return sorted(bySubject.values().stream());
  }

  /** Those on subjects of a type with a verdict, the oldest first. */
  List<ModerationDecision> all(Class<? extends Subject> type, Verdict verdict) {
    return sorted(
        bySubject.values().stream()
            .filter(it -> it.verdict() == verdict && type.isInstance(it.subject())));
  }

  private static List<ModerationDecision> sorted(Stream<ModerationDecision> decisions) {
    return decisions
        .sorted(
            Comparator.comparingLong(ModerationDecision::at)
                .thenComparing(it -> it.subject().text()))
        .toList();
  }
}
