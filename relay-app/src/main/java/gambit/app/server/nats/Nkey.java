package gambit.app.server.nats;

import io.nats.client.AuthHandler;
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

/**
 * A user's NKey: a key of Ed25519 that signs what a NATS server asks it to. Its texts are those of
 * the library nkeys: Base32 without padding of a type, the key and its CRC-16. Immutable and
 * thread-safe; not printed.
 */
final class Nkey implements AuthHandler {
  private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  private static final int KEY_BYTES = 32;
  private static final int CHECKSUM_BYTES = 2;

  /** The first letter S, and the type of the key in the next five bits. */
  private static final int SEED = 18 << 3;

  /** The first letter U. */
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
    byte[] bytes = decode(seed);
    if (bytes.length != 2 + KEY_BYTES + CHECKSUM_BYTES
        || (bytes[0] & 0xf8) != SEED
        || ((bytes[0] & 7) << 5 | (bytes[1] & 0xf8) >> 3) != USER
        || checksum(bytes, 2 + KEY_BYTES)
            != ((bytes[2 + KEY_BYTES] & 0xff) | (bytes[3 + KEY_BYTES] & 0xff) << 8)) {
      throw new IllegalArgumentException("not the seed of a user");
    }
    KeyPair pair = pair(Arrays.copyOfRange(bytes, 2, 2 + KEY_BYTES));
    return new Nkey(pair.getPrivate(), encode(withFrame((EdECPublicKey) pair.getPublic())));
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

  /** A source of given bytes in the place of random ones. */
  private static final class Given extends SecureRandom {
    private static final long serialVersionUID = 1;
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

  private static byte[] withFrame(EdECPublicKey key) {
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
    return bytes;
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

  private static byte[] decode(String text) {
    byte[] bytes = new byte[text.length() * 5 / 8];
    int buffer = 0;
    int bits = 0;
    int count = 0;
    for (char each : text.toUpperCase(Locale.ROOT).toCharArray()) {
      int value = BASE32.indexOf(each);
      if (value < 0) {
        throw new IllegalArgumentException("not Base32");
      }
      buffer = (buffer << 5 | value) & 0xfff;
      bits += 5;
      if (bits >= 8) {
        bits -= 8;
        bytes[count++] = (byte) (buffer >> bits);
      }
    }
    return bytes;
  }

  private static String encode(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    int buffer = 0;
    int bits = 0;
    for (byte each : bytes) {
      buffer = (buffer << 8 | (each & 0xff)) & 0xfff;
      bits += 8;
      while (bits >= 5) {
        bits -= 5;
        text.append(BASE32.charAt(buffer >> bits & 31));
      }
    }
    if (bits > 0) {
      text.append(BASE32.charAt(buffer << (5 - bits) & 31));
    }
    return text.toString();
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
