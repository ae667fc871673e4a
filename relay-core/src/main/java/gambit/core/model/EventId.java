package gambit.core.model;

import java.util.HexFormat;

/** The SHA-256 of an event's canonical serialization (NIP-01). Immutable. */
public final class EventId extends Bytes32 {
  public EventId(byte[] bytes) {
    super(bytes);
  }

  /** The id of 64 digits at a position of ASCII text, which are lower-case hex. */
  public EventId(byte[] text, int at) {
    super(text, at);
  }

  /** The id of four parts of eight bytes, big-endian, as {@link #word} returns them. */
  public EventId(long a, long b, long c, long d) {
    super(a, b, c, d);
  }

  /** Reads 64 hex digits; anything else is an {@link IllegalArgumentException}. */
  public static EventId ofHex(CharSequence hex) {
    return new EventId(HexFormat.of().parseHex(hex));
  }
}
