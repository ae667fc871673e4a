package gambit.core.crypto;

import fr.acinq.secp256k1.Secp256k1;
import fr.acinq.secp256k1.Secp256k1Exception;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;

/** Checks that an event is what its author signed: id (NIP-01) and signature (BIP-340). */
public class EventVerifier {
  private final Secp256k1 curve;

  /**
   * Loads the native library.
   *
   * @throws UnsatisfiedLinkError or IllegalStateException when this machine has none
   */
  public EventVerifier() {
    this.curve = Secp256k1.get();
  }

  /** The id is the hash of the event's canonical serialization. */
  public boolean hasValidId(Event event) {
    return EventEncoder.hasValidId(event);
  }

  /** The signature is its author's over the id; costs about 45 µs. Thread-safe. */
  public boolean hasValidSignature(Event event) {
    try {
      return curve.verifySchnorr(event.sig(), event.id().bytes(), event.pubkey().bytes());
    } catch (Secp256k1Exception | IllegalArgumentException e) {
      return false; // a key off the curve or the like: no valid signature can exist
    }
  }
}
