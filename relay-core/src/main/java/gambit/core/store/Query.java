package gambit.core.store;

/**
 * A search under way. Between two pages it holds no lock, no transaction and no event, however long
 * they are apart; what was removed meanwhile is not found any more. One thread at a time.
 */
public interface Query {
  /**
   * The next events, newest first, equal times by lowest id (NIP-01). A page that has cost enough
   * ends early, even without an event, so that many queries can take turns.
   *
   * @param max how many at most
   * @param maxBytes the event with which the encodings make up so many bytes is the last one
   */
  Page next(int max, int maxBytes);
}
