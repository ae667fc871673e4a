package gambit.core.crypto;

import fr.acinq.secp256k1.Secp256k1;
import fr.acinq.secp256k1.Secp256k1Exception;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;

/** Signs events with a secret key (BIP-340). Thread-safe. */
public final class Signer {
  private static final SecureRandom RANDOM = new SecureRandom();

  /** The greatest age of seals and gift wraps at their start, in seconds. */
  private static final int MAX_AGE = 2 * 86_400;

  private final Secp256k1 curve = Secp256k1.get();
  private final byte[] secret;
  private final PubKey pubkey;

  /** Fails unless these are 32 bytes of a valid secret key. */
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

  /**
   * A private message to one key (NIP-17): an unsigned event in a seal of this key, in a gift wrap
   * of a key that is used once.
   *
   * @param sentAt seconds of Unix time; the seal and the wrap are up to two days older
   * @param expiresAt when relays may forget it
   * @throws IllegalArgumentException when the text is too long, or no message can be encrypted to
   *     the key, since it is off the curve
   */
  public Event wrap(PubKey to, String text, long sentAt, long expiresAt) {
    List<String> receiver = List.of("p", to.hex());
    Event message =
        EventEncoder.unsigned(
            pubkey, sentAt, Kind.PRIVATE_MESSAGE, new Tags(List.of(receiver)), text);
    String sealed = encrypt(to, EventEncoder.withoutSignature(message));
    Event seal = sign(sentAt - anyAge(), Kind.SEAL, Tags.NONE, sealed);
    Signer once = random();
    String wrapped = once.encrypt(to, new String(seal.json(), StandardCharsets.UTF_8));
    Tags tags = new Tags(List.of(receiver, List.of("expiration", "" + expiresAt)));
    return once.sign(sentAt - anyAge(), Kind.GIFT_WRAP, tags, wrapped);
  }

  private static int anyAge() {
    return RANDOM.nextInt(MAX_AGE);
  }

  private String encrypt(PubKey to, String text) {
    byte[] nonce = new byte[32];
    RANDOM.nextBytes(nonce);
    return Encryption.encrypt(conversationKey(to), nonce, text);
  }

  /** The key of a conversation with another key, which both owners can compute. */
  byte[] conversationKey(PubKey other) {
    byte[] point = new byte[33];
    point[0] = 2; // the point with the even y
    System.arraycopy(other.bytes(), 0, point, 1, 32);
    try {
      byte[] shared = curve.pubKeyTweakMul(point, secret);
      return Encryption.conversationKey(Arrays.copyOfRange(shared, 1, 33));
    } catch (Secp256k1Exception e) {
      throw new IllegalArgumentException("not a public key of secp256k1", e);
    }
  }

  /** 32 bytes that only the owners of this secret key can compute from a text. */
  public byte[] mac(String text) {
    byte[] key = Encryption.mac(secret, "gambit".getBytes(StandardCharsets.US_ASCII));
    return Encryption.mac(key, text.getBytes(StandardCharsets.UTF_8));
  }

  Event sign(Event event) {
    return EventEncoder.withSignature(event, sign(event.id()));
  }

  private byte[] sign(EventId id) {
    byte[] aux = new byte[32];
    RANDOM.nextBytes(aux);
    return curve.signSchnorr(id.bytes(), secret, aux);
  }
}
