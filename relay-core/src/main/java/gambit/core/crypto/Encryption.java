package gambit.core.crypto;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Encrypts texts by version 2 of NIP-44. Stateless. */
final class Encryption {
  private static final byte VERSION = 2;
  private static final byte[] SALT = "nip44-v2".getBytes(StandardCharsets.US_ASCII);
  private static final int MAX_BYTES = 65_535;
  private static final int NONCE_BYTES = 32;
  private static final int CHACHA_KEY = 32;
  private static final int CHACHA_NONCE = 12;
  private static final int MAC_KEY = 32;
  private static final int MIN_PADDED = 32;

  private Encryption() {}

  /** The key of a conversation between the owners of two keys, from the secret that they share. */
  static byte[] conversationKey(byte[] shared) {
    return mac(SALT, shared);
  }

  /** Encrypts 1 to 65,535 bytes of text with a nonce of 32 random bytes, never used twice. */
  static String encrypt(byte[] conversationKey, byte[] nonce, String text) {
    byte[] keys = expand(conversationKey, nonce);
    byte[] encrypted = chacha(keys, padded(text.getBytes(StandardCharsets.UTF_8)));
    byte[] macKey = Arrays.copyOfRange(keys, CHACHA_KEY + CHACHA_NONCE, keys.length);
    byte[] mac = mac(macKey, nonce, encrypted);
    ByteBuffer out = ByteBuffer.allocate(1 + nonce.length + encrypted.length + mac.length);
    out.put(VERSION).put(nonce).put(encrypted).put(mac);
    return Base64.getEncoder().encodeToString(out.array());
  }

  /** HKDF-expand: the key and nonce of the cipher, and the key of the MAC. */
  static byte[] expand(byte[] conversationKey, byte[] nonce) {
    if (nonce.length != NONCE_BYTES) {
      throw new IllegalArgumentException("a nonce has 32 bytes");
    }
    ByteBuffer keys = ByteBuffer.allocate(CHACHA_KEY + CHACHA_NONCE + MAC_KEY);
    byte[] block = new byte[0];
    for (byte counter = 1; keys.hasRemaining(); counter++) {
      block = mac(conversationKey, block, nonce, new byte[] {counter});
      keys.put(block, 0, Math.min(block.length, keys.remaining()));
    }
    return keys.array();
  }

  private static byte[] padded(byte[] text) {
    if (text.length == 0 || text.length > MAX_BYTES) {
      throw new IllegalArgumentException("a text has 1 to 65,535 bytes, not " + text.length);
    }
    ByteBuffer out = ByteBuffer.allocate(Short.BYTES + paddedLength(text.length));
    return out.putShort((short) text.length).put(text).array();
  }

  /** So many that the length of the text is known roughly only. */
  private static int paddedLength(int length) {
    if (length <= MIN_PADDED) {
      return MIN_PADDED;
    }
    int nextPower = Integer.highestOneBit(length - 1) << 1;
    int chunk = Math.max(MIN_PADDED, nextPower / 8);
    return chunk * ((length - 1) / chunk + 1);
  }

  /** Encrypts, or decrypts what is encrypted. */
  static byte[] chacha(byte[] keys, byte[] text) {
    try {
      Cipher cipher = Cipher.getInstance("ChaCha20");
      byte[] nonce = Arrays.copyOfRange(keys, CHACHA_KEY, CHACHA_KEY + CHACHA_NONCE);
      cipher.init(
          Cipher.ENCRYPT_MODE,
          new SecretKeySpec(keys, 0, CHACHA_KEY, "ChaCha20"),
          new ChaCha20ParameterSpec(nonce, 0));
      return cipher.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no ChaCha20", e);
    }
  }

  static byte[] mac(byte[] key, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no HMAC", e);
    }
  }
}
