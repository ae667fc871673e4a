package gambit.core.session;

/**
 * What a client may ask for at most. All of it is enforced, and what NIP-11 has a word for is told
 * in its {@code limitation}.
 *
 * @param messageBytes longest message
 * @param eventTags most tags of an event
 * @param tagValueLength longest value of a tag, in characters
 * @param connections most clients at once
 * @param subscriptions most subscriptions of a connection
 * @param filters most filters of a REQ
 * @param filterValues most values in all filters of a connection
 * @param defaultLimit stored events for a filter that names no {@code limit}
 * @param maxLimit stored events for one filter at most
 * @param eventsUnderWay events of a connection that wait for their answer; beyond it the relay
 *     stops reading from the connection until some are answered
 * @param outboxBytes what may wait for one client that does not read; beyond it, disconnected
 * @param allOutboxBytes what may wait for all clients together
 * @param allFilterValues most values in all filters of all connections
 * @param silentSeconds after how long a silent client is asked whether it is still there; as long
 *     again without a sign, and it is disconnected
 * @param secondsAhead how far in the future {@code created_at} may lie
 * @param handshakeSeconds how long a request over HTTP may take to come whole, the handshake of a
 *     WebSocket included
 * @param connectionsByAddress most clients at one address; 0: as many as there are
 */
public record Limits(
    int messageBytes,
    int eventTags,
    int tagValueLength,
    int connections,
    int subscriptions,
    int filters,
    int filterValues,
    int defaultLimit,
    int maxLimit,
    int eventsUnderWay,
    int outboxBytes,
    long allOutboxBytes,
    int allFilterValues,
    int silentSeconds,
    int secondsAhead,
    int handshakeSeconds,
    int connectionsByAddress) {

  /** The defaults. */
  public static final Limits DEFAULT =
      new Limits(
          128 * 1024,
          2000,
          64 * 1024,
          10_000,
          200,
          20,
          20_000,
          500,
          5000,
          256,
          16 << 20,
          128L << 20,
          1_000_000,
          60,
          15 * 60,
          10,
          0);

  /**
   * Takes the limits.
   *
   * @throws IllegalArgumentException when one of them is not positive, or the default limit is
   *     above the highest
   */
  public Limits {
    requirePositive("message_bytes", messageBytes);
    requirePositive("event_tags", eventTags);
    requirePositive("tag_value_length", tagValueLength);
    requirePositive("connections", connections);
    requirePositive("subscriptions", subscriptions);
    requirePositive("filters", filters);
    requirePositive("filter_values", filterValues);
    requirePositive("default_limit", defaultLimit);
    requirePositive("max_limit", maxLimit);
    requirePositive("events_under_way", eventsUnderWay);
    requirePositive("outbox_bytes", outboxBytes);
    requirePositive("all_outbox_bytes", allOutboxBytes);
    requirePositive("all_filter_values", allFilterValues);
    requirePositive("silence", silentSeconds);
    requirePositive("created_at_ahead", secondsAhead);
    requirePositive("handshake", handshakeSeconds);
    if (connectionsByAddress < 0) {
      throw new IllegalArgumentException("connections_by_address must not be negative");
    }
    if (defaultLimit > maxLimit) {
      throw new IllegalArgumentException("default_limit must not be above max_limit");
    }
  }

  private static void requirePositive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be positive");
    }
  }
}
