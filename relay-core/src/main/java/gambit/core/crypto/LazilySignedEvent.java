package gambit.core.crypto;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.core.model.Event;
import gambit.core.model.EventId;

/**
 * An event of the relay that is signed on demand. Everything else, including its id, is known
 * before. It is signed at most once, so that all receivers get the same signature. Thread-safe.
 */
public final class LazilySignedEvent {
  private final Signer signer;

  @GuardedBy("this")
  private Event event;

  @GuardedBy("this")
  private boolean isSigned;

  LazilySignedEvent(Signer signer, Event unsigned) {
    this.signer = signer;
    this.event = unsigned;
  }

  public EventId id() {
    return unsigned().id();
  }

  /**
   * The event, which may not be signed yet: its signature is then zeros, and it must not be sent.
   * All other fields are final.
   */
  public synchronized Event unsigned() {
    return event;
  }

  /** The signed event. The first call signs it, which takes about 40 µs. */
  public synchronized Event signed() {
    if (!isSigned) {
      event = signer.sign(event);
      isSigned = true;
    }
    return event;
  }
}
