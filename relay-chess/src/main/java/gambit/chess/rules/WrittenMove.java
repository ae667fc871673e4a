package gambit.chess.rules;

import java.util.Optional;

/** A move in a notation whose meaning may depend on the position. Pure. */
public interface WrittenMove {
  /** The move in a position, legal or not; empty if it names a piece that is not there. */
  Optional<Move> in(Position position);
}
