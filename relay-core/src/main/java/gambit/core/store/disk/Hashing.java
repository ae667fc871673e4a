package gambit.core.store.disk;

import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * Hashes for index keys in place of longer values. Hashes may collide, so every hit is confirmed
 * with the record. Thread-safe.
 */
interface Hashing {
  long id(EventId id);

  long author(PubKey author);

  /** The hash of a tag's letter and value, or of the {@code d} of an address. */
  long text(char letter, String value);

  /** Uses the first eight bytes of ids and public keys, and a keyed hash of texts. */
  static Hashing keyed(byte[] key) {
    MessageDigest keyed = Sha256.digest();
    keyed.update(key);
    return new Hashing() {
      @Override
      public long id(EventId id) {
        return id.prefix();
      }

      @Override
      public long author(PubKey author) {
        return author.prefix();
      }

      @Override
      public long text(char letter, String value) {
        try {
          MessageDigest digest = (MessageDigest) keyed.clone();
          digest.update((byte) letter);
          return ByteBuffer.wrap(digest.digest(value.getBytes(StandardCharsets.UTF_8))).getLong();
        } catch (CloneNotSupportedException e) {
          throw new IllegalStateException("SHA-256 can be cloned in every Java runtime", e);
        }
      }
    };
  }
}
