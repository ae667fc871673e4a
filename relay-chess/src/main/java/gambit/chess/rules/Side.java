package gambit.chess.rules;

public enum Side {
  WHITE(0),
  BLACK(1);

  private final int index;

  Side(int index) {
    this.index = index;
  }

  /** The index of this side in arrays. It is never stored. */
  public int index() {
    return index;
  }

  public Side opponent() {
    return this == WHITE ? BLACK : WHITE;
  }
}
