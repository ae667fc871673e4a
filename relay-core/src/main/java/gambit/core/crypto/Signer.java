package gambit.core.crypto;

import fr.acinq.secp256k1.Secp256k1;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.security.SecureRandom;
import java.util.Arrays;

/** Signs events with a secret key (BIP-340). Thread-safe. */
public final class Signer {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Secp256k1 curve = Secp256k1.get();
  private final byte[] secret;
  private final PubKey pubkey;

  /**
   * Creates a signer from a secret key.
   *
   * @throws IllegalArgumentException when these are not 32 bytes of a valid key
   */
  public Signer(byte[] secret) {
    if (secret.length != 32 || !curve.secKeyVerify(secret)) {
      throw new IllegalArgumentException("not a secret key of secp256k1");
    }
    this.secret = secret.clone();
    this.pubkey = new PubKey(Arrays.copyOfRange(curve.pubkeyCreate(this.secret), 1, 33));
  }

  public static Signer random() {
    return new Signer(randomSecret());
  }

  /** A random secret key of 32 bytes. */
  public static byte[] randomSecret() {
    byte[] secret = new byte[32];
    do {
      RANDOM.nextBytes(secret);
    } while (!Secp256k1.get().secKeyVerify(secret));
    return secret;
  }

  public PubKey pubkey() {
    return pubkey;
  }

  /** Creates a signed event of this key; {@code createdAt} in seconds of Unix time. */
  public Event sign(long createdAt, int kind, Tags tags, String content) {
    return sign(EventEncoder.unsigned(pubkey, createdAt, kind, tags, content));
  }

  public LazilySignedEvent signLazily(long createdAt, int kind, Tags tags, String content) {
    return new LazilySignedEvent(
        this, EventEncoder.unsigned(pubkey, createdAt, kind, tags, content));
  }

  /** Signs on demand what another process with this key has left unsigned. */
  public LazilySignedEvent signLazily(Event unsigned) {
    if (!unsigned.pubkey().equals(pubkey)) {
      throw new IllegalArgumentException("the event is by another key than this relay's");
    }
    return new LazilySignedEvent(this, unsigned);
  }

  /** The event with its signature replaced by one of this key. */
  Event sign(Event event) {
    return EventEncoder.withSignature(event, sign(event.id()));
  }

  private byte[] sign(EventId id) {
    byte[] aux = new byte[32];
    RANDOM.nextBytes(aux);
    return curve.signSchnorr(id.bytes(), secret, aux);
  }
}
