package gambit.app.server.nats;

import io.nats.client.AuthHandler;
import io.nats.client.support.Encoding;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A user's NKey: a key of Ed25519 that signs what a NATS server asks it to. Its texts are those of
 * the library nkeys: Base32 without padding of a type, the key and its CRC-16. Immutable and
 * thread-safe; not printed.
 */
final class Nkey implements AuthHandler {
  private static final Pattern BASE32 = Pattern.compile("[A-Za-z2-7]*");
  private static final int KEY_BYTES = 32;
  private static final int CHECKSUM_BYTES = 2;

  /** The first letter S, and the type of the key in the next five bits. */
  private static final int SEED = 18 << 3;

  private static final int USER = 20 << 3;

  private final PrivateKey key;
  private final String publicKey;

  private Nkey(PrivateKey key, String publicKey) {
    this.key = key;
    this.publicKey = publicKey;
  }

  /**
   * The key of a seed.
   *
   * @throws IllegalArgumentException if the text is none, or of a key that is not a user's
   */
  static Nkey ofSeed(String seed) {
    byte[] bytes =
        BASE32.matcher(seed).matches() // the library skips other characters
            ? Encoding.base32Decode(seed.toUpperCase(Locale.ROOT).toCharArray())
            : new byte[0];
    if (bytes.length != 2 + KEY_BYTES + CHECKSUM_BYTES
        || (bytes[0] & 0xf8) != SEED
        || ((bytes[0] & 7) << 5 | (bytes[1] & 0xf8) >> 3) != USER
        || checksum(bytes, 2 + KEY_BYTES)
            != ((bytes[2 + KEY_BYTES] & 0xff) | (bytes[3 + KEY_BYTES] & 0xff) << 8)) {
      throw new IllegalArgumentException("not the seed of a user");
    }
    KeyPair pair = pair(Arrays.copyOfRange(bytes, 2, 2 + KEY_BYTES));
    return new Nkey(pair.getPrivate(), publicKey((EdECPublicKey) pair.getPublic()));
  }

  /** The pair of a secret key; Java computes a public key only where it makes a new pair. */
  private static KeyPair pair(byte[] secret) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
      generator.initialize(NamedParameterSpec.ED25519, new Given(secret));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has Ed25519", e);
    }
  }

  private static final class Given extends SecureRandom {
    private final byte[] given;

    private Given(byte[] given) {
      this.given = given.clone();
    }

    @Override
    public void nextBytes(byte[] bytes) {
      if (bytes.length != given.length) {
        throw new IllegalStateException("a secret key has " + given.length + " bytes");
      }
      System.arraycopy(given, 0, bytes, 0, given.length);
    }
  }

  private static String publicKey(EdECPublicKey key) {
    byte[] bytes = new byte[1 + KEY_BYTES + CHECKSUM_BYTES];
    bytes[0] = (byte) USER;
    byte[] y = key.getPoint().getY().toByteArray(); // the greatest byte first
    for (int i = 0; i < Math.min(y.length, KEY_BYTES); i++) {
      bytes[1 + i] = y[y.length - 1 - i];
    }
    bytes[KEY_BYTES] |= (byte) (key.getPoint().isXOdd() ? 0x80 : 0);
    int checksum = checksum(bytes, 1 + KEY_BYTES);
    bytes[1 + KEY_BYTES] = (byte) checksum;
    bytes[2 + KEY_BYTES] = (byte) (checksum >> 8);
    return new String(Encoding.base32Encode(bytes));
  }

  /** CRC-16/XMODEM. */
  private static int checksum(byte[] bytes, int length) {
    int crc = 0;
    for (int i = 0; i < length; i++) {
      crc ^= (bytes[i] & 0xff) << 8;
      for (int bit = 0; bit < 8; bit++) {
        crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ 0x1021;
      }
      crc &= 0xffff;
    }
    return crc;
  }

  /** The public key, U…, as it is listed in the configuration of the servers. */
  String publicKey() {
    return publicKey;
  }

  @Override
  public byte[] sign(byte[] nonce) {
    try {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initSign(key);
      signature.update(nonce);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has Ed25519", e);
    }
  }

  @Override
  public char[] getID() {
    return publicKey.toCharArray();
  }

  @Override
  public char[] getJWT() {
    return new char[0];
  }
}
