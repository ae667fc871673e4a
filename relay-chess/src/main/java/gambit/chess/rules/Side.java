package gambit.chess.rules;

/** One of the two who play. */
public enum Side {
  WHITE,
  BLACK;

  public Side opponent() {
    return this == WHITE ? BLACK : WHITE;
  }
}
