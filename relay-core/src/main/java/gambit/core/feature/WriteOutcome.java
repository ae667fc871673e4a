package gambit.core.feature;

import gambit.core.wire.Reason;

/** The writer's decision on a write request. */
public enum WriteOutcome {
  STORED,
  /** The event is stored already. */
  DUPLICATE,
  /** A newer version of the replaceable or addressable event is stored. */
  SUPERSEDED,
  /** Its author has deleted the event (NIP-09). */
  DELETED,
  /** Its author has asked this relay to vanish (NIP-62). */
  VANISHED,
  /** A {@linkplain RelayBuilder#lastingCheck lasting check} objects since the event has arrived. */
  BANNED,
  /** An event that the commit was to withdraw is no longer stored. */
  GONE,
  /** It deletes more events, of which the relay keeps copies, than one commit may copy. */
  TOO_MANY_COPIES,
  /** The store is full, or the commit is larger than a cluster can take. */
  FULL,
  FAILED;

  public Reason reason() {
    return switch (this) {
      case STORED -> throw new IllegalStateException("nothing to explain");
      case DUPLICATE -> Reason.duplicate("already have this event");
      case SUPERSEDED -> Reason.duplicate("a newer version is stored");
      case DELETED -> Reason.blocked("the event was deleted by its author");
      case VANISHED -> Reason.blocked("its author has asked this relay to vanish");
      case BANNED -> Reason.blocked("the operator has refused it");
      case GONE -> Reason.invalid("it is over");
      case TOO_MANY_COPIES -> Reason.invalid("delete fewer events at once");
      case FULL -> Reason.error("store is full");
      case FAILED -> Reason.error("the event could not be stored");
    };
  }
}
