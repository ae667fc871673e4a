package gambit.chess.dialect;

/**
 * A protocol in which clients play chess: a reader of players' events, a writer of answers and
 * notifications, and the traits in which it differs from others. Stateless; any thread.
 */
public interface Dialect {

  /** Where the dialect differs from others. */
  DialectTraits traits();

  /** Reads players' events. */
  DialectReader reader();

  /** Writes answers and notifications. */
  DialectWriter writer();

  /** Its name in NIP-11 and in stored rows. */
  default String name() {
    return traits().name();
  }
}
