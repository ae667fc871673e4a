package gambit.core.session;

/**
 * What a client may ask for at most; all of it is enforced, and told in NIP-11's {@code
 * limitation}.
 *
 * @param messageBytes longest message
 * @param eventTags most tags of an event
 * @param subscriptions most subscriptions of a connection
 * @param filters most filters of a REQ
 * @param filterValues most values in all filters of a connection
 * @param defaultLimit stored events for a filter that names no {@code limit}
 * @param maxLimit stored events for one filter at most
 * @param eventsUnderWay events of a connection that wait for their answer; beyond it the relay
 *     stops reading from the connection until some are answered
 * @param outboxBytes what may wait for one client that does not read; beyond it, disconnected
 * @param allOutboxBytes what may wait for all clients together
 * @param secondsAhead how far in the future {@code created_at} may lie
 */
public record Limits(
    int messageBytes,
    int eventTags,
    int subscriptions,
    int filters,
    int filterValues,
    int defaultLimit,
    int maxLimit,
    int eventsUnderWay,
    int outboxBytes,
    long allOutboxBytes,
    int secondsAhead) {

  /** The defaults. */
  public static final Limits DEFAULT =
      new Limits(128 * 1024, 2000, 200, 20, 20_000, 500, 5000, 256, 16 << 20, 256L << 20, 15 * 60);
}
