package gambit.core.limit;

/**
 * One limit on what clients may ask for. Each is enforced, and those that NIP-11 has a field for
 * are published in its {@code limitation}. A new limit is a line here and its use.
 */
public enum Limit {
  /** The longest message. */
  MESSAGE_BYTES("message_bytes", Unit.BYTES, 128 * 1024),
  /** The most tags of an event. */
  EVENT_TAGS("event_tags", Unit.COUNT, 2000),
  /** The longest value of a tag, in characters. */
  TAG_VALUE_LENGTH("tag_value_length", Unit.COUNT, 64 * 1024),
  /** The most clients at once. */
  CONNECTIONS("connections", Unit.COUNT, 10_000),
  /** The most clients at one address; 0 means no such limit. */
  CONNECTIONS_BY_ADDRESS("connections_by_address", Unit.COUNT, 0),
  /** The most subscriptions of a connection. */
  SUBSCRIPTIONS("subscriptions", Unit.COUNT, 200),
  /** The most filters of a REQ. */
  FILTERS("filters", Unit.COUNT, 20),
  /** The most values in all filters of a connection. */
  FILTER_VALUES("filter_values", Unit.COUNT, 20_000),
  /** The most values in all filters of all connections. */
  ALL_FILTER_VALUES("all_filter_values", Unit.COUNT, 1_000_000),
  /** The number of stored events for a filter that names no {@code limit}. */
  DEFAULT_LIMIT("default_limit", Unit.COUNT, 500),
  /** The most stored events for one filter. */
  MAX_LIMIT("max_limit", Unit.COUNT, 5000),
  /**
   * The most events of a connection that wait for their answers; the relay then stops reading from
   * the connection until some are answered.
   */
  EVENTS_UNDER_WAY("events_under_way", Unit.COUNT, 256),
  /** The most bytes that wait for one client; beyond that, it is disconnected. */
  OUTBOX_BYTES("outbox_bytes", Unit.BYTES, 16 << 20),
  /** The most bytes that wait for all clients together. */
  ALL_OUTBOX_BYTES("all_outbox_bytes", Unit.TOTAL_BYTES, 128L << 20),
  /**
   * The time after which a silent client is sent a ping; after the same time again without a sign
   * of life it is disconnected.
   */
  SILENT_SECONDS("silence", Unit.SECONDS, 60),
  /** The furthest that {@code created_at} may lie in the future. */
  SECONDS_AHEAD("created_at_ahead", Unit.SECONDS, 15 * 60),
  /** The longest time that an HTTP request, a WebSocket handshake included, may take to arrive. */
  HANDSHAKE_SECONDS("handshake", Unit.SECONDS, 10);

  /** What a limit counts. */
  public enum Unit {
    COUNT,
    BYTES,
    /** Bytes of all clients together: they may exceed an {@code int}. */
    TOTAL_BYTES,
    SECONDS
  }

  private final String key;
  private final Unit unit;
  private final long byDefault;

  Limit(String key, Unit unit, long byDefault) {
    this.key = key;
    this.unit = unit;
    this.byDefault = byDefault;
  }

  /** The name of its setting. */
  public String key() {
    return key;
  }

  public Unit unit() {
    return unit;
  }

  long byDefault() {
    return byDefault;
  }

  /** Fails unless the value is positive, or 0 for a limit that is 0 by default. */
  void require(long value) {
    if (value < 0 && byDefault == 0) {
      throw new IllegalArgumentException(key + " must not be negative");
    }
    if (value <= 0 && byDefault > 0) {
      throw new IllegalArgumentException(key + " must be positive");
    }
  }
}
