package gambit.chess.session.journal;

import gambit.core.feature.Row;
import gambit.core.feature.UnreadableRows;
import gambit.core.model.EventId;
import gambit.core.wire.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The rows of events that were ruled on and are not stored themselves. Pure. */
public final class SeenRows {
  public static final String TABLE = "chess.seen";

  /** The first byte of a row; a row without a format begins with the 0 of its time. */
  private static final byte FORMAT = 1;

  private static final int HEAD = 11;

  private SeenRows() {}

  /** The effect of an event. */
  public enum Effect {
    COMMAND,
    SEARCH,
    /** It was refused, and the refusal was not counted. */
    NONE
  }

  /**
   * One event.
   *
   * @param until when it is not needed any more, in epoch milliseconds
   * @param refusal empty when it was accepted, or refused in other words than those of its OK
   */
  public record Entry(EventId id, long until, Effect effect, Optional<Reason> refusal) {}

  /** The row that keeps an event. */
  public static Row row(Entry entry) {
    Optional<Reason> refusal = entry.refusal();
    byte[] text = refusal.map(Reason::text).orElse("").getBytes(StandardCharsets.UTF_8);
    ByteBuffer value = ByteBuffer.allocate(HEAD + text.length);
    value.put(FORMAT).putLong(entry.until()).put(RowCodes.of(entry.effect()));
    value.put(refusal.isEmpty() ? RowCodes.NONE : RowCodes.of(refusal.get().prefix())).put(text);
    return new Row(TABLE, entry.id().bytes(), value.array());
  }

  /** The row that removes an event. */
  public static Row noRow(EventId id) {
    return new Row(TABLE, id.bytes(), null);
  }

  /**
   * Reads a row.
   *
   * @param key in hex
   * @throws UnreadableRows when it cannot be read
   */
  public static Entry read(String key, byte[] bytes) {
    try {
      ByteBuffer value = ByteBuffer.wrap(bytes);
      byte format = value.get(0);
      if (format != FORMAT && format != 0) {
        throw new IllegalArgumentException("unknown format " + format);
      }
      value.position(format == FORMAT ? 1 : 0);
      long until = value.getLong();
      Effect effect = RowCodes.effect(value.get());
      byte prefix = value.get();
      String text = StandardCharsets.UTF_8.decode(value).toString();
      Optional<Reason> refusal =
          prefix == RowCodes.NONE
              ? Optional.empty()
              : Optional.of(new Reason(RowCodes.prefix(prefix), text));
      return new Entry(EventId.ofHex(key), until, effect, refusal);
    } catch (RuntimeException e) {
      throw new UnreadableRows("The journal of event " + key + " is unreadable", e);
    }
  }
}
