package gambit.chess.game;

import gambit.chess.rules.Side;
import java.util.Arrays;
import java.util.Optional;

/** The score of a game, written as PGN's game termination marker (PGN standard 8.2.6). */
public enum Result {
  WHITE_WINS("1-0"),
  BLACK_WINS("0-1"),
  DRAW("1/2-1/2"),
  /** No result: the game was aborted. */
  NONE("*");

  private final String text;

  Result(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  public static Optional<Result> of(String text) {
    return Arrays.stream(values()).filter(result -> result.text.equals(text)).findFirst();
  }

  public static Result winFor(Side side) {
    return side == Side.WHITE ? WHITE_WINS : BLACK_WINS;
  }
}
