package gambit.chess.rules;

import java.util.List;
import java.util.Optional;

/**
 * A position together with the repetitions that led to it. Immutable. This interface is the port
 * through which everything else sees the rules, so that another library can take their place.
 */
public interface Position {
  Side turn();

  /** What stands on a square, 0 = a1 to 63 = h8. */
  Optional<Piece> at(int square);

  /** The position in FEN, with the en passant square after every double step (PGN 16.1.3.4). */
  String fen();

  /** Plies since the last capture or pawn move. */
  int halfmoveClock();

  int fullmoveNumber();

  /** Every legal move, in no particular order. */
  List<Move> legalMoves();

  /** The position after a move, or nothing when it is illegal. */
  Optional<Position> play(Move move);

  boolean inCheck();

  /** False when the side has too little, whatever both play, ever to mate (see MatingMaterial). */
  boolean canMate(Side side);

  /** How often this position has stood by now, at least once (FIDE 9.2.3). */
  int occurrences();

  /** A draw can be claimed by repetition (FIDE 9.2). */
  boolean threefold();

  /** A draw can be claimed by the fifty-move rule (FIDE 9.3). */
  boolean fiftyMoves();

  /** How the game is over by this position, mate before all else. */
  Optional<Outcome> outcome();

  /**
   * A legal move in Standard Algebraic Notation (PGN 8.2.3).
   *
   * @throws IllegalArgumentException when it is not legal
   */
  String san(Move legalMove);
}
