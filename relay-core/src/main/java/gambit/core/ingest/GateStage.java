package gambit.core.ingest;

import gambit.core.feature.EventCheck;
import gambit.core.feature.EventGate;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Refuses a verified event to which a gate objects, or that exceeds the rate limit of its author.
 * Awaited events and trusted authors are exempt from the rate limit. Imports have checks of their
 * own.
 */
final class GateStage implements Stage {
  private final EventChecks checks;

  GateStage(EventChecks checks) {
    this.checks = checks;
  }

  @Override
  public Optional<Ok> answer(IncomingEvent incoming) {
    Submission submission = incoming.submission();
    Optional<Reason> objection =
        incoming.isImported() ? objectionToImport(submission) : objection(submission);
    if (objection.isEmpty()) {
      return Optional.empty();
    }
    incoming.answeredEarly();
    return Optional.of(Ok.refused(incoming.event(), objection.get()));
  }

  private Optional<Reason> objection(Submission submission) {
    for (EventGate gate : checks.gates()) {
      Optional<Reason> objection = gate.objection(submission);
      if (objection.isPresent()) {
        return objection;
      }
    }
    PubKey author = submission.event().pubkey();
    return submission.awaited() || checks.trusted().test(author)
        ? Optional.empty()
        : checks.rates().objection(Verb.EVENT, author);
  }

  private Optional<Reason> objectionToImport(Submission submission) {
    return Kind.isEphemeral(submission.event().kind())
        ? Optional.of(Reason.invalid("ephemeral events are not stored"))
        : first(checks.ofImports(), submission.event(), submission.arrivedAt());
  }

  /** Whether a check objects, right before the event is stored, since it has passed this stage. */
  boolean refusesNow(Submission submission) {
    return first(checks.beforeStoring(), submission.event(), submission.arrivedAt()).isPresent();
  }

  private static Optional<Reason> first(List<EventCheck> checks, Event event, Instant now) {
    for (EventCheck check : checks) {
      Optional<Reason> objection = check.objection(event, now);
      if (objection.isPresent()) {
        return objection;
      }
    }
    return Optional.empty();
  }
}
