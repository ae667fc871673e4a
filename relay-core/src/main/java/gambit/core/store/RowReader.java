package gambit.core.store;

import java.util.Optional;

/** Looks up single rows: committed ones on any thread, or those of a transaction. */
public interface RowReader {
  /** The row with that key in a named table. */
  Optional<byte[]> row(String table, byte[] key);
}
