package gambit.chess.rules;

import java.util.Optional;

/** A move as a player has written it; what it means may depend on the position. Pure. */
public interface WrittenMove {
  /** The move in that position, legal or not; nothing when it names a piece that is not there. */
  Optional<Move> in(Position position);
}
