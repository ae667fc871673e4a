package gambit.chess.dialect;

/**
 * A protocol in which clients play chess: a reader of players' events, a writer of answers and
 * notifications, and the traits in which it differs from other dialects. Stateless; any thread.
 */
public interface Dialect {

  /** The traits in which the dialect differs from other dialects. */
  DialectTraits traits();

  /** Reads players' events. */
  DialectReader reader();

  /** Writes answers and notifications. */
  DialectWriter writer();

  /** The name in NIP-11 and in stored rows. */
  default String name() {
    return traits().name();
  }
}
