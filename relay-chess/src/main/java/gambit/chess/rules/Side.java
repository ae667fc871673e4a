package gambit.chess.rules;

/** One of the two who play. */
public enum Side {
  WHITE(0),
  BLACK(1);

  private final int index;

  Side(int index) {
    this.index = index;
  }

  /** Its place in arrays of two, in memory only. */
  public int index() {
    return index;
  }

  public Side opponent() {
    return this == WHITE ? BLACK : WHITE;
  }
}
