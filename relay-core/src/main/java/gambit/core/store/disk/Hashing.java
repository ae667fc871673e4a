package gambit.core.store.disk;

import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * What stands in index keys for longer values. Two values may have the same: whatever the index
 * finds is confirmed on the record. Thread-safe.
 */
interface Hashing {
  long id(EventId id);

  long author(PubKey author);

  /** For a tag's letter and its value, or for the {@code d} of an address. */
  long text(char letter, String value);

  /** The first bytes of ids and keys; a hash under a secret key for texts. */
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
