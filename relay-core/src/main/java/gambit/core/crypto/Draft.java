package gambit.core.crypto;

import gambit.core.model.Event;
import gambit.core.model.EventId;

/**
 * An event of a key of ours that is signed when somebody wants to have it: everything about it is
 * known before, its id included. Signed at most once, so that all have the same. Thread-safe.
 */
public final class Draft {
  private final Signer signer;
  private Event event; // guarded by this
  private boolean isSigned; // guarded by this

  Draft(Signer signer, Event unsigned) {
    this.signer = signer;
    this.event = unsigned;
  }

  public EventId id() {
    return unsigned().id();
  }

  /**
   * The event, signed or not yet: then its signature is none, and it must not be let out. All else
   * is as it will be.
   */
  public synchronized Event unsigned() {
    return event;
  }

  /** The event with its signature, which the first call makes: about 40 µs. */
  public synchronized Event signed() {
    if (!isSigned) {
      event = signer.sign(event);
      isSigned = true;
    }
    return event;
  }
}
