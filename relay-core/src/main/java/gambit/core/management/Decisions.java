package gambit.core.management;

import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.nip.AdmissionPolicy.Allowances;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.Reason;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** The decisions in force, at most one for each subject and {@value #MAX} in all. Thread-safe. */
final class Decisions {
  static final int MAX = 100_000;

  private final Map<Subject, ModerationDecision> bySubject = new ConcurrentHashMap<>();

  enum Verdict {
    BANNED,
    /** Accepted where only listed ones are, and no longer in the queue of reports. */
    ALLOWED
  }

  /**
   * A decision that somebody has made ({@link Call.Caller#name}) on a subject, in seconds of Unix
   * time. It is in force until it is lifted or replaced. Immutable.
   */
  record ModerationDecision(Subject subject, Verdict verdict, String reason, long at, String by) {}

  Decisions(Map<String, byte[]> rows) {
    ManagementRows.decisions(rows).forEach(it -> bySubject.put(it.subject(), it));
  }

  Map<Subject, ModerationDecision> bySubject() {
    return bySubject;
  }

  Optional<Reason> objection(Event event) {
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

  boolean refuse(ClientAddress address) {
    return !bySubject.isEmpty() && isBanned(new Subject.Address(address));
  }

  /** What the policies accept beside their lists, with the members and admins. */
  Allowances allowances(Predicate<PubKey> members) {
    return new Allowances(
        author -> has(new Subject.Author(author), Verdict.ALLOWED),
        kind -> has(new Subject.OneKind(kind), Verdict.ALLOWED),
        members);
  }

  boolean has(Subject subject, Verdict verdict) {
    ModerationDecision decision = bySubject.get(subject);
    return decision != null && decision.verdict() == verdict;
  }

  boolean has(Subject subject) {
    return bySubject.containsKey(subject);
  }

  /** All decisions, the oldest first. */
  List<ModerationDecision> all() {
    return bySubject.values().stream()
        .sorted(
            Comparator.comparingLong(ModerationDecision::at)
                .thenComparing(it -> it.subject().text()))
        .toList();
  }

  List<ModerationDecision> all(Class<? extends Subject> type, Verdict verdict) {
    return bySubject.values().stream()
        .filter(it -> it.verdict() == verdict && type.isInstance(it.subject()))
        .toList();
  }
}
