package gambit.core.store.disk;

/**
 * The tables of the index. <i>Place</i> is what serves the order of answers: {@code created_at}
 * counted down 5 · begin of the id 6 · offset in the log 6; read forwards, it gives the newest
 * event first.
 */
enum Table {
  /** Begin of the id 8 · offset 6. */
  ID,
  /** Place → kind 2. */
  TIME,
  /** Kind 2 · place. */
  KIND,
  /** Begin of the pubkey 8 · place → kind 2. */
  AUTHOR,
  /** Begin of the pubkey 8 · kind 2 · place. */
  AUTHOR_KIND,
  /** Hash of letter and value 8 · place → kind 2. */
  TAG,
  /** Begin of the pubkey 8 · kind 2 · hash of {@code d} 8 · offset 6. */
  ADDRESS,
  /** Time to expire 5 · offset 6. */
  EXPIRY,
  /** Name of a named table · 0 · key → offset of the row's record 8. */
  ROW,
  /**
   * Base of a segment 8 → bytes of removed records 8 · since when erased bytes are among them 8.
   */
  DEAD,
  /** What the index knows of itself, by name. */
  META
}
