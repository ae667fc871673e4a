package gambit.chess.rules;

import java.util.List;
import java.util.Optional;

/**
 * A position, with the earlier positions that it may repeat. Immutable. All other packages use the
 * rules of chess through this interface, so that another library can implement them.
 */
public interface Position {
  Side turn();

  /** The piece on a square, 0 = a1 to 63 = h8. */
  Optional<Piece> at(int square);

  /** The squares of a side's pieces of one kind, as a set of bits: bit 0 = a1, bit 63 = h8. */
  long squares(Side side, PieceKind kind);

  /** The position in FEN, with the en passant square after every double step (PGN 16.1.3.4). */
  String fen();

  /** The number of plies since the last capture or pawn move. */
  int halfmoveClock();

  int fullmoveNumber();

  /** Every legal move, in no particular order. */
  List<Move> legalMoves();

  /** The legal moves that capture or promote, in no particular order. */
  List<Move> legalCapturesAndPromotions();

  /** The position after a move; empty if the move is illegal. */
  Optional<Position> play(Move move);

  boolean inCheck();

  /** Whether the side has the material to mate by any series of legal moves (FIDE 6.9). */
  boolean canMate(Side side);

  /** The number of times that this position has occurred, including now (FIDE 9.2.3). */
  int occurrences();

  /**
   * A hash of the position, equal for positions that are the same (FIDE 9.2.3). The hashes of other
   * processes differ, so it must not be stored.
   */
  long key();

  /** Whether a draw can be claimed by repetition (FIDE 9.2). */
  boolean threefold();

  /** Whether a draw can be claimed by the fifty-move rule (FIDE 9.3). */
  boolean fiftyMoves();

  /** The reason for which this position ends the game; checkmate takes precedence. */
  Optional<Outcome> outcome();

  /**
   * A legal move in Standard Algebraic Notation (PGN 8.2.3).
   *
   * @throws IllegalArgumentException if the move is illegal
   */
  String san(Move legalMove);
}
