package gambit.chess.session.journal;

import gambit.core.model.EventId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The ids of the events of a game's moves, in order; 32 bytes each. Immutable, but a list shares
 * the array of the list that it extends. Owned by the chess lane.
 */
public final class MoveEventIds {
  public static final MoveEventIds NONE = new MoveEventIds(new byte[0], 0);

  private static final int ID = 32;

  private final byte[] ids;
  private final int size;

  private MoveEventIds(byte[] ids, int size) {
    this.ids = ids;
    this.size = size;
  }

  public int size() {
    return size;
  }

  /**
   * This list and one more id. Of the lists that extend one list, only the last may be used: a step
   * that could not be committed is never continued.
   */
  public MoveEventIds append(EventId id) {
    byte[] longer = ids.length > size * ID ? ids : Arrays.copyOf(ids, (size + 2 + size / 8) * ID);
    System.arraycopy(id.bytes(), 0, longer, size * ID, ID);
    return new MoveEventIds(longer, size + 1);
  }

  /** The id of the event of a ply, counted from 0. */
  public EventId get(int ply) {
    return new EventId(bytes(ply, ply + 1));
  }

  /** The ply of an event, counted from 0, or -1. */
  public int indexOf(EventId id) {
    byte[] sought = id.bytes();
    for (int ply = size - 1; ply >= 0; ply--) {
      if (Arrays.equals(ids, ply * ID, (ply + 1) * ID, sought, 0, ID)) {
        return ply;
      }
    }
    return -1;
  }

  public MoveEventIds first(int plies) {
    return new MoveEventIds(ids, plies);
  }

  /** The ids of a range of plies, counted from 0, as one array. */
  public byte[] bytes(int from, int to) {
    return Arrays.copyOfRange(ids, from * ID, to * ID);
  }

  public List<String> toHex() {
    List<String> hex = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      hex.add(HexFormat.of().formatHex(ids, i * ID, (i + 1) * ID));
    }
    return hex;
  }
}
