package gambit.core.store;

/**
 * A search under way. It holds no lock and no transaction between two pages, however long they are
 * apart. One thread at a time.
 */
public interface Query {
  /**
   * The next events, newest first, equal times by lowest id (NIP-01). A page that has cost enough
   * ends early, even without an event, so that many queries can take turns.
   *
   * @param max how many at most
   */
  Page next(int max);
}
