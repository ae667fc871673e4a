package gambit.core.model;

/** The SHA-256 of an event's canonical serialization (NIP-01). Immutable. */
public final class EventId extends Bytes32 {
  public EventId(byte[] bytes) {
    super(bytes);
  }

  private EventId(byte[] text, int at) {
    super(text, at);
  }

  EventId(long a, long b, long c, long d) {
    super(a, b, c, d);
  }

  /** The id of four parts of eight bytes, big-endian, as {@link #word} returns them. */
  public static EventId ofWords(long a, long b, long c, long d) {
    return new EventId(a, b, c, d);
  }

  /** The id of 64 digits at a position of ASCII text, which are lower-case hex. */
  public static EventId ofDigits(byte[] text, int at) {
    return new EventId(text, at);
  }

  /** Reads 64 hex digits; anything else is an {@link IllegalArgumentException}. */
  public static EventId ofHex(CharSequence hex) {
    return new EventId(parse(hex));
  }
}
