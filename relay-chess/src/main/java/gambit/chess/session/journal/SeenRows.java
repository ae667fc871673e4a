package gambit.chess.session.journal;

import gambit.core.feature.Row;
import gambit.core.feature.UnreadableRows;
import gambit.core.model.EventId;
import gambit.core.wire.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The rows of events that were answered and are not stored. Pure. */
public final class SeenRows {
  public static final String TABLE = "chess.seen";

  private static final byte FORMAT = 1;

  private static final int FIXED_LENGTH = 11;

  private SeenRows() {}

  /** The effect of an event. */
  public enum Effect {
    COMMAND,
    SEARCH,
    /** It was refused, and the refusal was not counted. */
    NONE
  }

  /**
   * The content of a row.
   *
   * @param until the time at which it is obsolete, in epoch milliseconds
   * @param refusal empty if the event was accepted, or if the refusal was not in its OK
   */
  public record SeenEvent(EventId id, long until, Effect effect, Optional<Reason> refusal) {}

  /** The row of an event. */
  public static Row row(SeenEvent event) {
    Optional<Reason> refusal = event.refusal();
    byte[] text = refusal.map(Reason::text).orElse("").getBytes(StandardCharsets.UTF_8);
    ByteBuffer value = ByteBuffer.allocate(FIXED_LENGTH + text.length);
    value.put(FORMAT).putLong(event.until()).put(RowCodes.EFFECTS.of(event.effect()));
    value.put(RowCodes.PREFIXES.of(refusal.map(Reason::prefix).orElse(null))).put(text);
    return new Row(TABLE, event.id().bytes(), value.array());
  }

  /** The row that removes an event. */
  public static Row removal(EventId id) {
    return new Row(TABLE, id.bytes(), null);
  }

  /**
   * Reads a row.
   *
   * @param key in hex
   * @throws UnreadableRows if it cannot be read
   */
  public static SeenEvent read(String key, byte[] bytes) {
    try {
      ByteBuffer value = ByteBuffer.wrap(bytes);
      RowCodes.requireFormat(value.get(), FORMAT);
      long until = value.getLong();
      Effect effect = RowCodes.EFFECTS.get(value.get());
      byte prefix = value.get();
      String text = StandardCharsets.UTF_8.decode(value).toString();
      Optional<Reason> refusal =
          prefix == RowCodes.NONE
              ? Optional.empty()
              : Optional.of(new Reason(RowCodes.PREFIXES.get(prefix), text));
      return new SeenEvent(EventId.ofHex(key), until, effect, refusal);
    } catch (RuntimeException e) {
      throw new UnreadableRows("The journal of event " + key + " is unreadable", e);
    }
  }
}
