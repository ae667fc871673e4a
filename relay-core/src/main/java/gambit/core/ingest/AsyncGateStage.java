package gambit.core.ingest;

import gambit.core.feature.AsyncEventGate;
import gambit.core.feature.AsyncEventGate.Accepted;
import gambit.core.feature.AsyncEventGate.Refused;
import gambit.core.feature.AsyncEventGate.Verdict;
import gambit.core.feature.Submission;
import gambit.core.log.LimitedLog;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks the gate whose verdict may come later about an event that nothing else objects to. Trusted
 * authors and imports are exempt. Thread-safe.
 */
final class AsyncGateStage {
  private static final LimitedLog LOG = LimitedLog.of(AsyncGateStage.class);

  private final EventChecks checks;
  private final @Nullable AsyncEventGate gate;

  AsyncGateStage(EventChecks checks) {
    this.checks = checks;
    this.gate = checks.asyncGate().orElse(null);
  }

  /** Whether the gate is to be asked about an event, as one that a handler has claimed or not. */
  boolean concerns(IncomingEvent incoming, boolean isClaimed) {
    Submission submission = incoming.submission();
    return gate != null
        && !incoming.isImported()
        && !checks.trusted().test(submission.event().pubkey())
        && gate.concerns(submission, isClaimed);
  }

  /** Asks about an event that concerns the gate; {@code next} receives the event if it passes. */
  void ask(IncomingEvent incoming, Consumer<IncomingEvent> next) {
    if (gate == null) {
      throw new IllegalStateException("there is no gate");
    }
    try {
      gate.check(
          incoming.submission(),
          verdict -> incoming.executor().execute(() -> decided(incoming, verdict, next)));
    } catch (RuntimeException e) {
      LOG.error("An event could not be checked", e);
      incoming.refuse(Reason.error("the event could not be checked"));
    }
  }

  private static void decided(
      IncomingEvent incoming, Verdict verdict, Consumer<IncomingEvent> next) {
    if (verdict instanceof Accepted) {
      next.accept(incoming);
      return;
    }
    incoming.answeredEarly();
    if (verdict instanceof Refused refused) {
      incoming.refuse(refused.reason());
    } else {
      incoming.answer(Ok.accepted(incoming.event(), ""));
    }
  }
}
