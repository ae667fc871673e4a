package gambit.chess.session.journal;

import gambit.core.model.EventId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The ids of a game's moves in order, 32 bytes each. Immutable: a longer list shares the array of
 * the one that it grew from. The chess lane's only.
 */
public final class PlyEvents {
  public static final PlyEvents NONE = new PlyEvents(new byte[0], 0);

  private static final int ID = 32;

  private final byte[] ids;
  private final int size;

  private PlyEvents(byte[] ids, int size) {
    this.ids = ids;
    this.size = size;
  }

  public int size() {
    return size;
  }

  /**
   * With one more. Two lists that grow from the same one must not both be used: a step that was not
   * stored is never gone on from.
   */
  public PlyEvents append(EventId id) {
    byte[] longer = ids.length > size * ID ? ids : Arrays.copyOf(ids, (size + 2 + size / 8) * ID);
    System.arraycopy(id.bytes(), 0, longer, size * ID, ID);
    return new PlyEvents(longer, size + 1);
  }

  /** The first so many of them. */
  public PlyEvents first(int plies) {
    return new PlyEvents(ids, plies);
  }

  /** The ids from one ply up to another, from 0, one behind the other. */
  public byte[] bytes(int from, int to) {
    return Arrays.copyOfRange(ids, from * ID, to * ID);
  }

  /** In hex. */
  public List<String> toHex() {
    List<String> hex = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      hex.add(HexFormat.of().formatHex(ids, i * ID, (i + 1) * ID));
    }
    return hex;
  }
}
