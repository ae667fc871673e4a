package gambit.core.store;

import java.util.Optional;

/** Looks up single rows, among the committed ones or in a transaction. */
public interface RowReader {
  /** The row with that key in a named table. */
  Optional<byte[]> row(String table, byte[] key);
}
