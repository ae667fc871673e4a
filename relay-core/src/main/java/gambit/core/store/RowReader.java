package gambit.core.store;

import java.util.Optional;

/** Looks up single rows: in what is committed, or in a transaction. */
public interface RowReader {
  /** The row of that key in a named table. */
  Optional<byte[]> row(String table, byte[] key);
}
