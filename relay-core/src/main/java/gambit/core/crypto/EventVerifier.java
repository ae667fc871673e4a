package gambit.core.crypto;

import fr.acinq.secp256k1.Secp256k1;
import fr.acinq.secp256k1.Secp256k1Exception;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;

/** Verifies the id (NIP-01) and the signature (BIP-340) of events. Thread-safe. */
public class EventVerifier {
  private final Secp256k1 curve;

  /** Loads the native library; fails if there is none for this machine. */
  public EventVerifier() {
    this.curve = Secp256k1.get();
  }

  public boolean hasValidId(Event event) {
    return EventEncoder.hasValidId(event);
  }

  /** Whether the signature is the author's for the id. Takes about 45 µs. */
  public boolean hasValidSignature(Event event) {
    try {
      return curve.verifySchnorr(event.sig(), event.id().bytes(), event.pubkey().bytes());
    } catch (Secp256k1Exception | IllegalArgumentException e) {
      return false; // for instance a key off the curve: no valid signature exists
    }
  }
}
