package gambit.core.feature;

import org.jspecify.annotations.Nullable;

/**
 * A row of a named table to be set, or removed when the value is null; there need be none to
 * remove. Immutable: nobody may write into its arrays.
 *
 * @param table a name that nobody else uses, at most 32 letters
 * @param key at most 256 bytes
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares rows
public record Row(String table, byte[] key, byte @Nullable [] value) {
  /** How many bytes key and value have. */
  public int bytes() {
    return key.length + (value == null ? 0 : value.length);
  }
}
