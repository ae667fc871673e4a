package gambit.core.negentropy;

import java.util.List;

/**
 * A sorted set of items as it is at one moment. Ranges are inclusive of their lower bound and
 * exclusive of their upper bound.
 */
public interface ItemSet {
  IdSum sum(Position from, Position to);

  /** The first items of a range, at most {@code max}, ascending. */
  List<Position> items(Position from, Position to, int max);

  /**
   * Splits a range that is not empty into parts of about the same number of items: at most {@code
   * parts}, without gaps, the last one up to {@code to}.
   */
  List<Part> split(Position from, Position to, int parts);

  /** A part of a range: from the part before it to its upper bound. */
  record Part(Position upper, IdSum sum) {}
}
