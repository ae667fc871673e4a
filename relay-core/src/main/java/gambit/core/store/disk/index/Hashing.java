package gambit.core.store.disk.index;

import gambit.core.model.EventId;
import gambit.core.model.PubKey;

/**
 * Hashes for index keys in place of longer values. Hashes may collide, so every hit is confirmed
 * with the record. Thread-safe.
 */
public interface Hashing {
  long id(EventId id);

  long author(PubKey author);

  /** The hash of a tag's letter and value, or of the {@code d} of an address. */
  long text(char letter, String value);

  /** Uses the first eight bytes of ids and public keys, and a keyed hash of texts. */
  static Hashing keyed(byte[] key) {
    return new KeyedHashing(key);
  }
}
