package gambit.core.store.disk.index;

/**
 * The tables of the index, with the layout of their keys and values in bytes. The <i>sort key</i>
 * is {@code created_at} counted down 5 · prefix of the id 6 · offset in the log 6; in its order,
 * the newest event is first.
 */
public enum Table {
  /** Prefix of the id 8 · offset 6. */
  ID,
  /** Sort key → kind 2. */
  TIME,
  /** Kind 2 · sort key. */
  KIND,
  /** Prefix of the pubkey 8 · sort key → kind 2. */
  AUTHOR,
  /** Prefix of the pubkey 8 · kind 2 · sort key. */
  AUTHOR_KIND,
  /** Hash of letter and value 8 · sort key → kind 2. */
  TAG,
  /** Prefix of the pubkey 8 · kind 2 · hash of {@code d} 8 · offset 6. */
  ADDRESS,
  /** Expiration 5 · offset 6. */
  EXPIRY,
  /** {@code created_at} 5 · id 32 → kind 2: the order in which NIP-77 compares ids. */
  POSITION,
  /**
   * First position of a block 37 → for each kind in the block: kind 2 · number of events 4 · sum of
   * their ids 32. A block is a range of {@link #POSITION} up to the next block; see {@link
   * IdSumUpdate}.
   */
  ID_SUM,
  /** Name of the feature's table · 0 · key → offset of the row's record 8. */
  ROW,
  /** Base of a segment 8 → dead bytes 8 · time since which they include erased bytes 8. */
  DEAD,
  /** Data of the index about itself, by name. */
  META;

  /** The table's place among all, from 0, for arrays with an element for each. */
  @SuppressWarnings("EnumOrdinal")
  int index() {
    return ordinal();
  }
}
