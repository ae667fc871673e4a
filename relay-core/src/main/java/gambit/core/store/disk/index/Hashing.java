package gambit.core.store.disk.index;

import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * Hashes for index keys in place of longer values: the first eight bytes of ids and public keys,
 * and a keyed SHA-256 of texts. Hashes may collide, so every hit is confirmed with the record. It
 * remembers up to {@value #REMEMBERED} hashes of texts of up to {@value #MAX_REMEMBERED_CHARS}
 * characters, since most tags name what others named before. Thread-safe.
 */
public class Hashing {
  private static final int REMEMBERED = 1 << 13;
  private static final int MAX_REMEMBERED_CHARS = 80;

  private final MessageDigest keyed = Sha256.digest();

  /** Each at the place of its text's hash code; any thread may replace an entry at any time. */
  private final @Nullable Remembered[] remembered = new Remembered[REMEMBERED];

  private record Remembered(char letter, String value, long hash) {}

  public Hashing(byte[] key) {
    keyed.update(key);
  }

  public long id(EventId id) {
    return id.prefix();
  }

  public long author(PubKey author) {
    return author.prefix();
  }

  /** The hash of a tag's letter and value, or of the {@code d} of an address. */
  public long text(char letter, String value) {
    if (value.length() > MAX_REMEMBERED_CHARS) {
      return hash(letter, value);
    }
    int code = value.hashCode() + letter;
    int place = (code ^ code >>> 16) & (REMEMBERED - 1);
    Remembered known = remembered[place];
    if (known != null && known.letter == letter && known.value.equals(value)) {
      return known.hash;
    }
    long hash = hash(letter, value);
    remembered[place] = new Remembered(letter, value, hash);
    return hash;
  }

  private long hash(char letter, String value) {
    try {
      MessageDigest digest = (MessageDigest) keyed.clone();
      digest.update((byte) letter);
      return ByteBuffer.wrap(digest.digest(value.getBytes(StandardCharsets.UTF_8))).getLong();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("SHA-256 can be cloned in every Java runtime", e);
    }
  }
}
