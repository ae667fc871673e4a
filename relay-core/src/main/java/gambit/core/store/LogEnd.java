package gambit.core.store;

/**
 * The end of a store's log.
 *
 * @param sequence the number of the newest group; 0 if there is none
 * @param offset where the next group begins
 * @param checksum {@link LogGroup#checksum} of the newest group; 0 if it is unknown, since there is
 *     no group, or only its live records are left
 */
public record LogEnd(long sequence, long offset, int checksum) {}
