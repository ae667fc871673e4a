package gambit.chess.rules;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Reads any text as moves: a move in UCI is that move, legal or not; white space has no meaning;
 * every other character selects a legal move. So changed text still leads to a game.
 */
public final class MoveText {
  private static final Comparator<Move> ORDER =
      Comparator.comparingInt(Move::from)
          .thenComparingInt(Move::to)
          .thenComparingInt(move -> move.promotion() == null ? 0 : move.promotion().index());

  private final String text;
  private int at;

  public MoveText(String text) {
    this.text = text;
  }

  /** The next move in this position, or nothing at the end. */
  public Optional<Move> next(Position position) {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
    int left = text.length() - at;
    for (int length = Math.min(left, 5); length >= 4; length--) {
      Optional<Move> written = Move.parse(text.substring(at, at + length));
      if (written.isPresent()) {
        at += length;
        return written;
      }
    }
    if (left == 0) {
      return Optional.empty();
    }
    List<Move> legal = new ArrayList<>(position.legalMoves());
    legal.sort(ORDER);
    int choice = text.charAt(at++);
    return legal.isEmpty() ? Optional.empty() : Optional.of(legal.get(choice % legal.size()));
  }
}
