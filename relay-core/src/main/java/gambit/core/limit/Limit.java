package gambit.core.limit;

/**
 * A limit on the use of the relay by clients. Those for which NIP-11 has a field are published in
 * its {@code limitation}. The setting of each is {@code limits.} and its key; its default stands
 * here and, with what operators should know of it, in reference.conf.
 */
public enum Limit {
  MESSAGE_BYTES("message_bytes", Unit.BYTES, 128 * 1024),
  EVENT_TAGS("event_tags", Unit.COUNT, 2000),
  /** Maximum length of a value of a tag, in characters. */
  TAG_VALUE_LENGTH("tag_value_length", Unit.COUNT, 64 * 1024),
  CONNECTIONS("connections", Unit.COUNT, 10_000),
  /** Maximum number of clients at one address; 0 for its share of all ({@link SharedBudget}). */
  CONNECTIONS_BY_ADDRESS("connections_by_address", Unit.COUNT, 0),
  /** Maximum number of subscriptions and feature queries of a connection. */
  SUBSCRIPTIONS("subscriptions", Unit.COUNT, 200),
  FILTERS("filters", Unit.COUNT, 20),
  FILTER_VALUES("filter_values", Unit.COUNT, 20_000),
  ALL_FILTER_VALUES("all_filter_values", Unit.COUNT, 1_000_000),
  /** The number of stored events for a filter that names no {@code limit}. */
  DEFAULT_LIMIT("default_limit", Unit.COUNT, 500),
  MAX_LIMIT("max_limit", Unit.COUNT, 5000),
  /** Maximum number of events that one sync lists in memory (NIP-77). */
  SYNC_ITEMS("sync_items", Unit.COUNT, 250_000),
  ALL_SYNC_BYTES("all_sync_bytes", Unit.TOTAL_BYTES, 64L << 20),
  /**
   * Maximum number of events of a connection that have not been answered; at the limit, the relay
   * stops reading from the connection until some are answered.
   */
  EVENTS_UNDER_WAY("events_under_way", Unit.COUNT, 256),
  /** Maximum number of bytes queued for one client; beyond that, it is disconnected. */
  OUTBOX_BYTES("outbox_bytes", Unit.BYTES, 16 << 20),
  ALL_OUTBOX_BYTES("all_outbox_bytes", Unit.TOTAL_BYTES, 128L << 20),
  /** The time after which a silent client is sent a ping, and after the same again disconnected. */
  SILENT_SECONDS("silence", Unit.SECONDS, 60),
  SECONDS_AHEAD("created_at_ahead", Unit.SECONDS, 15 * 60),
  /** Maximum time for an HTTP request, including a WebSocket handshake, to arrive. */
  HANDSHAKE_SECONDS("handshake", Unit.SECONDS, 10);

  public enum Unit {
    COUNT,
    BYTES,
    /** Bytes of all clients; the value may exceed an {@code int}. */
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
