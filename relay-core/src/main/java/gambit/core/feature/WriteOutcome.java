package gambit.core.feature;

import gambit.core.wire.Reason;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The writer's decision on a write request. */
public enum WriteOutcome {
  STORED(null),
  DUPLICATE(Reason.duplicate("already have this event")),
  SUPERSEDED(Reason.duplicate("a newer version is stored")),
  DELETED(Reason.blocked("the event was deleted by its author")),
  VANISHED(Reason.blocked("its author has asked this relay to vanish")),
  /** A {@linkplain RelayBuilder#lastingCheck lasting check} objects since the event has arrived. */
  BANNED(Reason.blocked("the operator has refused it")),
  /** An event that the commit was to withdraw is no longer stored, or its addition is empty. */
  GONE(Reason.invalid("it is over")),
  /** It deletes more events, of which the relay keeps copies, than one commit may copy. */
  TOO_MANY_COPIES(Reason.invalid("delete fewer events at once")),
  /** The store is full, or the commit is larger than a cluster can take. */
  FULL(Reason.error("store is full")),
  FAILED(Reason.error("the event could not be stored"));

  @SuppressWarnings("ImmutableEnumChecker") // a prefix and a text
  private final @Nullable Reason reason;

  WriteOutcome(@Nullable Reason reason) {
    this.reason = reason;
  }

  /** The reason for the client, unless the event is stored. */
  public Reason reason() {
    return Objects.requireNonNull(reason);
  }
}
