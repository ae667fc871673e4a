package gambit.core.feature;

import org.jspecify.annotations.Nullable;

/**
 * A row of a named table that a commit sets, or removes if the value is null; removing a missing
 * row has no effect. Its arrays must not be modified.
 *
 * @param table a name that only one feature uses, at most 32 bytes long
 * @param key at most 256 bytes
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares rows
public record Row(String table, byte[] key, byte @Nullable [] value) {
  public int bytes() {
    return key.length + (value == null ? 0 : value.length);
  }
}
