package gambit.chess.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A position on bitboards, with the earlier positions that it may repeat. A move is legal if, once
 * made, it does not leave its king in check. Immutable.
 */
public final class Position {
  /** The highest move number of a position from which a game may begin. */
  public static final int MAX_FIRST_MOVE = 9999;

  private static final PieceKind[] PROMOTIONS = {
    PieceKind.QUEEN, PieceKind.ROOK, PieceKind.BISHOP, PieceKind.KNIGHT
  };

  private static final Position INITIAL =
      parseFen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").orElseThrow();

  private final Board board;
  private final Side turn;
  private final int castling;
  private final int enPassant;
  private final int halfmoveClock;
  private final int fullmoveNumber;
  private final Repetitions repetitions;

  /**
   * A position.
   *
   * @param enPassant the square that a pawn has just passed over, or -1
   * @param before the earlier positions that may be repeated, or null
   */
  Position(
      Board board,
      Side turn,
      int castling,
      int enPassant,
      int halfmoveClock,
      int fullmoveNumber,
      @Nullable Repetitions before) {
    this.board = board;
    this.turn = turn;
    this.castling = castling;
    this.enPassant = enPassant;
    this.halfmoveClock = halfmoveClock;
    this.fullmoveNumber = fullmoveNumber;
    int captureAt = enPassant >= 0 && canCaptureEnPassant() ? enPassant : -1;
    this.repetitions = Repetitions.of(Repetitions.key(board, turn, castling, captureAt), before);
  }

  public static Position initial() {
    return INITIAL;
  }

  /**
   * Reads FEN strictly (PGN 16.1); empty if the text is malformed. It must have six fields
   * separated by single spaces. Each side has one king, at most 16 pieces and at most 8 pawns, and
   * no pawn on the first or last rank. The castling and en passant fields fit the pieces, the
   * numbers are canonical, and the side that is not to move is not in check.
   */
  public static Optional<Position> parseFen(String fen) {
    return Fen.parse(fen);
  }

  Board board() {
    return board;
  }

  int castling() {
    return castling;
  }

  int enPassant() {
    return enPassant;
  }

  public Side turn() {
    return turn;
  }

  /** The piece on a square, 0 = a1 to 63 = h8. */
  public Optional<Piece> at(int square) {
    return board.at(square);
  }

  /** The squares of a side's pieces of one kind, as a set of bits: bit 0 = a1, bit 63 = h8. */
  public long squares(Side side, PieceKind kind) {
    return board.of(side, kind);
  }

  /**
   * A hash of the position, equal for positions that are the same (FIDE 9.2.3). The hashes of other
   * processes differ, so it must not be stored.
   */
  public long key() {
    return repetitions.key();
  }

  /** The position in FEN, with the en passant square after every double step (PGN 16.1.3.4). */
  public String fen() {
    return Fen.write(this);
  }

  /** The number of plies since the last capture or pawn move. */
  public int halfmoveClock() {
    return halfmoveClock;
  }

  public int fullmoveNumber() {
    return fullmoveNumber;
  }

  public boolean inCheck() {
    return board.isInCheck(turn);
  }

  /** Whether the side has the material to mate by any series of legal moves (FIDE 6.9). */
  public boolean canMate(Side side) {
    return board.canMate(side);
  }

  /** The number of times that this position has occurred, including now (FIDE 9.2.3). */
  public int occurrences() {
    return repetitions.occurrences();
  }

  /** Whether a draw can be claimed by repetition (FIDE 9.2). */
  public boolean threefold() {
    return occurrences() >= 3;
  }

  /** Whether a draw can be claimed by the fifty-move rule (FIDE 9.3). */
  public boolean fiftyMoves() {
    return halfmoveClock >= 100;
  }

  /** The reason for which this position ends the game; checkmate takes precedence. */
  public Optional<Outcome> outcome() {
    if (!hasLegalMove()) {
      return Optional.of(inCheck() ? Outcome.CHECKMATE : Outcome.STALEMATE);
    } else if (!canMate(Side.WHITE) && !canMate(Side.BLACK)) {
      return Optional.of(Outcome.DEAD_POSITION);
    } else if (occurrences() >= 5) {
      return Optional.of(Outcome.FIVEFOLD);
    } else if (halfmoveClock >= 150) {
      return Optional.of(Outcome.SEVENTY_FIVE_MOVES);
    }
    return Optional.empty();
  }

  /**
   * A legal move in Standard Algebraic Notation (PGN 8.2.3).
   *
   * @throws IllegalArgumentException if the move is illegal
   */
  public String san(Move legalMove) {
    return SanMove.write(this, legalMove);
  }

  /** The position after a move; empty if the move is illegal. */
  public Optional<Position> play(Move move) {
    PieceKind kind = board.kindAt(move.from());
    boolean isLegal =
        kind != null
            && (board.of(turn) >>> move.from() & 1) != 0
            && isLegal(move.from(), move.to())
            && isPromotion(move.from(), move.to()) == (move.promotion() != null);
    if (kind == null || !isLegal) {
      return Optional.empty();
    }
    boolean irreversible = kind == PieceKind.PAWN || (board.occupied() >>> move.to() & 1) != 0;
    boolean doubleStep = kind == PieceKind.PAWN && Math.abs(move.to() - move.from()) == 16;
    int rights = rightsAfter(rightsAfter(castling, move.from()), move.to());
    return Optional.of(
        new Position(
            make(kind, move),
            turn.opponent(),
            rights,
            doubleStep ? (move.from() + move.to()) / 2 : -1,
            irreversible ? 0 : halfmoveClock + 1,
            turn == Side.BLACK ? fullmoveNumber + 1 : fullmoveNumber,
            irreversible || rights != castling ? null : repetitions));
  }

  /** A castling right as a bit: in FEN's order K, Q, k, q (FIDE 3.8.2). */
  static int castlingRight(Side side, boolean kingside) {
    return 1 << (side.index() * 2 + (kingside ? 0 : 1));
  }

  private static int rightsAfter(int rights, int square) {
    return switch (square) {
      case 0 -> rights & ~castlingRight(Side.WHITE, false);
      case 4 -> rights & ~castlingRight(Side.WHITE, true) & ~castlingRight(Side.WHITE, false);
      case 7 -> rights & ~castlingRight(Side.WHITE, true);
      case 56 -> rights & ~castlingRight(Side.BLACK, false);
      case 60 -> rights & ~castlingRight(Side.BLACK, true) & ~castlingRight(Side.BLACK, false);
      case 63 -> rights & ~castlingRight(Side.BLACK, true);
      default -> rights;
    };
  }

  /** The position after moves, which must be legal. */
  public Position after(List<Move> moves) {
    Position position = this;
    for (Move move : moves) {
      position =
          position
              .play(move)
              .orElseThrow(() -> new IllegalArgumentException(move.uci() + " is illegal"));
    }
    return position;
  }

  /** Moves from here on in SAN, which must be legal. */
  public List<String> sans(List<Move> moves) {
    List<String> sans = new ArrayList<>();
    Position position = this;
    for (Move move : moves) {
      sans.add(position.san(move));
      position = position.after(List.of(move));
    }
    return sans;
  }

  /** Every legal move, in no particular order. */
  public List<Move> legalMoves() {
    return legalMoves(-1, -1);
  }

  /** The legal moves that capture or promote, in no particular order. */
  public List<Move> legalCapturesAndPromotions() {
    long captured = board.of(turn.opponent());
    long forPawns = captured | Attacks.RANK_1 | Attacks.RANK_8;
    return legalMoves(captured, enPassant < 0 ? forPawns : forPawns | 1L << enPassant);
  }

  /**
   * The legal moves to some squares.
   *
   * @param forPieces the squares that a piece other than a pawn may move to
   * @param forPawns the squares that a pawn may move to
   */
  private List<Move> legalMoves(long forPieces, long forPawns) {
    List<Move> moves = new ArrayList<>(40);
    long pawns = board.of(turn, PieceKind.PAWN);
    for (long left = board.of(turn); left != 0; left &= left - 1) {
      int from = Long.numberOfTrailingZeros(left);
      long allowed = (pawns >>> from & 1) != 0 ? forPawns : forPieces;
      for (long to = targets(from) & allowed; to != 0; to &= to - 1) {
        int target = Long.numberOfTrailingZeros(to);
        if (isSafe(from, target)) {
          add(moves, from, target);
        }
      }
    }
    return moves;
  }

  /** The squares of the pieces of a kind that have a legal move to a square, as a set. */
  public long origins(PieceKind kind, int to) {
    long origins = 0;
    for (long left = board.of(turn, kind); left != 0; left &= left - 1) {
      int from = Long.numberOfTrailingZeros(left);
      if (isLegal(from, to)) {
        origins |= 1L << from;
      }
    }
    return origins;
  }

  private void add(List<Move> moves, int from, int to) {
    if (isPromotion(from, to)) {
      for (PieceKind kind : PROMOTIONS) {
        moves.add(new Move(from, to, kind));
      }
    } else {
      moves.add(new Move(from, to, null));
    }
  }

  private boolean hasLegalMove() {
    for (long left = board.of(turn); left != 0; left &= left - 1) {
      int from = Long.numberOfTrailingZeros(left);
      for (long to = targets(from); to != 0; to &= to - 1) {
        if (isSafe(from, Long.numberOfTrailingZeros(to))) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean canCaptureEnPassant() {
    long pawns = Attacks.pawn(turn.opponent(), enPassant) & board.of(turn, PieceKind.PAWN);
    for (; pawns != 0; pawns &= pawns - 1) {
      if (isSafe(Long.numberOfTrailingZeros(pawns), enPassant)) {
        return true;
      }
    }
    return false;
  }

  private boolean isLegal(int from, int to) {
    return (targets(from) >>> to & 1) != 0 && isSafe(from, to);
  }

  /**
   * Whether a move does not leave its king in check. A castling rook needs no look, since a king
   * that was not in check before is not attacked along its rank.
   */
  private boolean isSafe(int from, int to) {
    long captured = captured(from, to);
    long occupied = board.occupied() & ~(captured | 1L << from) | 1L << to;
    int king = board.kingOf(turn);
    return !board.attacks(turn.opponent(), king == from ? to : king, captured, occupied);
  }

  private boolean isPromotion(int from, int to) {
    return board.kindAt(from) == PieceKind.PAWN && (to >= 56 || to < 8);
  }

  private Board make(PieceKind kind, Move move) {
    int from = move.from();
    int to = move.to();
    PieceKind becomes = move.promotion() == null ? kind : move.promotion();
    Board next = board.moved(from, to, captured(from, to), becomes);
    if (kind == PieceKind.KING && Math.abs(to - from) == 2) {
      boolean kingside = to > from;
      next = next.moved(kingside ? from + 3 : from - 4, (from + to) / 2, 0, PieceKind.ROOK);
    }
    return next;
  }

  private long captured(int from, int to) {
    if (to == enPassant && board.kindAt(from) == PieceKind.PAWN) {
      return 1L << (turn == Side.WHITE ? to - 8 : to + 8);
    }
    return 1L << to & board.occupied();
  }

  /** The squares that a piece can reach if checks to its own king are ignored. */
  private long targets(int from) {
    PieceKind kind = board.kindAt(from);
    if (kind == null) {
      return 0;
    }
    long occupied = board.occupied();
    long free = ~board.of(turn);
    return switch (kind) {
      case PAWN -> pawnTargets(from);
      case KNIGHT -> Attacks.knight(from) & free;
      case BISHOP -> Attacks.bishop(from, occupied) & free;
      case ROOK -> Attacks.rook(from, occupied) & free;
      case QUEEN -> (Attacks.rook(from, occupied) | Attacks.bishop(from, occupied)) & free;
      case KING -> Attacks.king(from) & free | castlingTargets(from);
    };
  }

  private long pawnTargets(int from) {
    long empty = ~board.occupied();
    long bit = 1L << from;
    long enemies = board.of(turn.opponent()) | (enPassant < 0 ? 0 : 1L << enPassant);
    long captures = Attacks.pawn(turn, from) & enemies;
    if (turn == Side.WHITE) {
      long one = bit << 8 & empty;
      return captures | one | (((one & (Attacks.RANK_1 << 16)) << 8) & empty);
    }
    long one = bit >>> 8 & empty;
    return captures | one | (((one & (Attacks.RANK_8 >>> 16)) >>> 8) & empty);
  }

  /** FIDE 3.8.2: nothing between, and the king neither in check nor crossing an attacked square. */
  private long castlingTargets(int from) {
    long targets = 0;
    for (boolean kingside : new boolean[] {true, false}) {
      if ((castling & castlingRight(turn, kingside)) != 0) {
        int step = kingside ? 1 : -1;
        long between = kingside ? 3L << (from + 1) : 7L << (from - 3);
        if ((between & board.occupied()) == 0
            && !board.attacks(turn.opponent(), from)
            && !board.attacks(turn.opponent(), from + step)) {
          targets |= 1L << (from + 2 * step);
        }
      }
    }
    return targets;
  }
}
