package gambit.core.ingest;

import gambit.core.feature.Outgoing;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.live.Delivery;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import java.util.List;

/**
 * The last stage of an event that no handler keeps: passes it to the writer, an ephemeral one to
 * the live lane and to the other nodes. The answer is sent with their output. Thread-safe.
 */
final class StoreStage {
  private final Writer writer;
  private final Delivery live;
  private final Forwarding forwarding;
  private final GateStage gates;

  StoreStage(Writer writer, Delivery live, Forwarding forwarding, GateStage gates) {
    this.writer = writer;
    this.live = live;
    this.forwarding = forwarding;
    this.gates = gates;
  }

  void take(IncomingEvent incoming) {
    Submission submission = incoming.submission();
    Event event = submission.event();
    boolean hasRoom =
        Kind.isEphemeral(event.kind())
            ? live.offer(submission.connection().owners(), accepted(submission))
            : writer.submit(
                event, () -> gates.refusesNow(submission), outcome -> output(submission, outcome));
    if (!hasRoom) {
      incoming.refuse(Ingest.BUSY);
    } else if (Kind.isEphemeral(event.kind())) {
      forwarding.spread(event);
    }
  }

  /** The output for an event of the writer, on its thread. */
  private static List<Outgoing> output(Submission submission, WriteOutcome outcome) {
    return switch (outcome) {
      case STORED -> accepted(submission);
      case DUPLICATE -> List.of(submission.duplicate(outcome.reason()));
      default -> List.of(submission.refused(outcome.reason()));
    };
  }

  private static List<Outgoing> accepted(Submission submission) {
    return List.of(submission.accepted(""), new Outgoing.Broadcast(submission.event(), List.of()));
  }
}
