package gambit.core.ingest;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.EventHandler.ClaimedEvent;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage.Ok;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An event on the path of {@link Ingest}. One thread at a time. */
final class IncomingEvent implements Consumer<Submission> {
  private final Submission submission;
  private final Origin origin;
  private final Executor executor;
  private final Consumer<IncomingEvent> whenReturned;
  private Optional<ClaimedEvent> claim;
  private @Nullable RateExemption exemption; // until its handler has received the event
  private boolean isStored;

  /** Where an event comes from. */
  enum Origin {
    CLIENT,
    IMPORT,
    /** An import whose signatures the operator's command has verified. */
    VERIFIED_IMPORT
  }

  /**
   * Creates an event that has passed no stage.
   *
   * @param executor runs what follows from a verdict that comes later
   * @param exemption by which an awaited event has passed the rate limits of its connection
   * @param whenReturned receives the event if its handler returns it
   */
  IncomingEvent(
      Event event,
      ClientConnection connection,
      Instant arrivedAt,
      Origin origin,
      Executor executor,
      Optional<ClaimedEvent> claim,
      boolean awaited,
      @Nullable RateExemption exemption,
      Consumer<IncomingEvent> whenReturned) {
    this.submission = new Submission(event, connection, arrivedAt, awaited, this);
    this.origin = origin;
    this.executor = executor;
    this.whenReturned = whenReturned;
    this.claim = claim;
    this.exemption = awaited ? exemption : null;
  }

  Submission submission() {
    return submission;
  }

  Event event() {
    return submission.event();
  }

  Executor executor() {
    return executor;
  }

  boolean isImported() {
    return origin != Origin.CLIENT;
  }

  /** Whether only its id is still to be verified. */
  boolean hasVerifiedSignature() {
    return origin == Origin.VERIFIED_IMPORT;
  }

  /** The event as claimed by its handler, if there is one. */
  Optional<ClaimedEvent> claim() {
    return claim;
  }

  /** Its handler has returned the event, so that it is an ordinary one. */
  @Override
  public void accept(Submission same) {
    claim = Optional.empty();
    exemption = null;
    whenReturned.accept(this);
  }

  /** Whether it was found in the store. */
  boolean isStored() {
    return isStored;
  }

  void setStored() {
    isStored = true;
  }

  /** The event is not what its author signed. */
  void forged() {
    if (exemption != null) {
      exemption.forged();
    }
  }

  /** The event is answered before its handler receives it. */
  void answeredEarly() {
    if (exemption != null) {
      exemption.answered();
    }
  }

  /** Sends its only answer. */
  void answer(Ok ok) {
    submission.connection().answer(submission.event(), ok);
  }

  void refuse(Reason reason) {
    answer(Ok.refused(submission.event(), reason));
  }
}
