package gambit.chess.session.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The note of a binding, kept on the bound connection: one for each player. Immutable.
 *
 * @param numbers whether the connection understands numbered frames
 * @param dialect the name of the dialect of the player's last event over any connection, when the
 *     note was made; null if there was none
 * @param change counts the changes of the player's dialect: of several notes, that with the
 *     greatest has the last dialect
 */
public record PlayerNote(boolean numbers, @Nullable String dialect, int change) {
  private static final byte FORMAT = 1;
  private static final int FIXED_LENGTH = 6;

  /** The content of the note. */
  public byte[] bytes() {
    byte[] name = (dialect == null ? "" : dialect).getBytes(StandardCharsets.US_ASCII);
    ByteBuffer out = ByteBuffer.allocate(FIXED_LENGTH + name.length);
    return out.put(FORMAT).put((byte) (numbers ? 1 : 0)).putInt(change).put(name).array();
  }

  /**
   * Reads a note.
   *
   * @throws IllegalArgumentException if it has another format
   * @throws java.nio.BufferUnderflowException if it is too short
   */
  static PlayerNote read(byte[] note) {
    ByteBuffer in = ByteBuffer.wrap(note);
    RowCodes.requireFormat(in.get(), FORMAT);
    boolean numbers = in.get() != 0;
    int change = in.getInt();
    String name = StandardCharsets.US_ASCII.decode(in).toString();
    return new PlayerNote(numbers, name.isEmpty() ? null : name, change);
  }
}
