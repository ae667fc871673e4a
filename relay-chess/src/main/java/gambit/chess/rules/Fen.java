package gambit.chess.rules;

import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Forsyth-Edwards Notation (PGN 16.1). The parser is strict. Pure. */
final class Fen {
  /** A game that begins at move {@link Position#MAX_FIRST_MOVE} ends long before six digits. */
  private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,4}");

  private static final int MAX_LENGTH = 128;

  private static final Pattern CASTLING_FIELD = Pattern.compile("-|(?=.)K?Q?k?q?");

  /** The castling rights from the lowest bit. */
  private static final String CASTLING = "KQkq";

  private Fen() {}

  static Optional<Position> parse(String fen) {
    String[] fields = fen.length() > MAX_LENGTH ? new String[0] : fen.split(" ", -1);
    if (fields.length != 6) {
      return Optional.empty();
    }
    Board board = parseBoard(fields[0]);
    int castling = parseCastling(fields[2]);
    int halfmoves = parseNumber(fields[4], 0);
    int fullmoves = parseNumber(fields[5], 1);
    boolean white = fields[1].equals("w");
    if (board == null
        || (!white && !fields[1].equals("b"))
        || castling < 0
        || halfmoves < 0
        || fullmoves < 0
        || !fits(castling, board)) {
      return Optional.empty();
    }
    Side turn = white ? Side.WHITE : Side.BLACK;
    int enPassant = parseEnPassant(fields[3], board, turn);
    if (enPassant < -1 || board.isInCheck(turn.opponent())) {
      return Optional.empty();
    }
    return Optional.of(new Position(board, turn, castling, enPassant, halfmoves, fullmoves, null));
  }

  private static int parseCastling(String field) {
    int rights = 0;
    for (int i = 0; i < CASTLING.length(); i++) {
      rights |= field.indexOf(CASTLING.charAt(i)) < 0 ? 0 : 1 << i;
    }
    return CASTLING_FIELD.matcher(field).matches() ? rights : -1;
  }

  private static String castling(int rights) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      if ((rights >> i & 1) != 0) {
        out.append(CASTLING.charAt(i));
      }
    }
    return out.isEmpty() ? "-" : out.toString();
  }

  /** Whether the kings and rooks that have rights are on their original squares. */
  private static boolean fits(int rights, Board board) {
    for (Side side : Side.values()) {
      int home = side == Side.WHITE ? 0 : 56;
      for (boolean kingside : new boolean[] {true, false}) {
        boolean has = (rights & Position.castlingRight(side, kingside)) != 0;
        long rook = 1L << (home + (kingside ? 7 : 0));
        if (has
            && (board.kingOf(side) != home + 4 || (board.of(side, PieceKind.ROOK) & rook) == 0)) {
          return false;
        }
      }
    }
    return true;
  }

  private static @Nullable Board parseBoard(String field) {
    String[] ranks = field.split("/", -1);
    if (ranks.length != 8) {
      return null;
    }
    Board board = Board.EMPTY;
    for (int i = 0; i < 8; i++) {
      board = board == null ? null : parseRank(board, ranks[i], 7 - i);
    }
    return board != null && isPlausible(board) ? board : null;
  }

  private static @Nullable Board parseRank(Board before, String text, int rank) {
    Board board = before;
    int file = 0;
    boolean afterDigit = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean digit = c >= '1' && c <= '8';
      PieceKind kind = digit ? null : PieceKind.of(c);
      if ((digit && afterDigit) || (!digit && kind == null) || file > 7) {
        return null;
      }
      if (kind != null) {
        Side side = c < 'a' ? Side.WHITE : Side.BLACK;
        board = board.with(side, kind, rank * 8 + file);
      }
      file += digit ? c - '0' : 1;
      afterDigit = digit;
    }
    return file == 8 ? board : null;
  }

  private static boolean isPlausible(Board board) {
    boolean plausible = (board.of(PieceKind.PAWN) & (Attacks.RANK_1 | Attacks.RANK_8)) == 0;
    for (Side side : Side.values()) {
      plausible &=
          Long.bitCount(board.of(side, PieceKind.KING)) == 1
              && Long.bitCount(board.of(side)) <= 16
              && Long.bitCount(board.of(side, PieceKind.PAWN)) <= 8;
    }
    return plausible;
  }

  /** The square; -1 if the field names none, -2 if it is malformed or does not fit the pieces. */
  private static int parseEnPassant(String field, Board board, Side turn) {
    if (field.equals("-")) {
      return -1;
    }
    int square = field.length() == 2 ? Move.square(field.charAt(0), field.charAt(1)) : -1;
    boolean white = turn == Side.WHITE;
    if (square < 0 || square / 8 != (white ? 5 : 2)) {
      return -2;
    }
    int pawn = white ? square - 8 : square + 8;
    int origin = white ? square + 8 : square - 8;
    boolean fits =
        (board.of(turn.opponent(), PieceKind.PAWN) >>> pawn & 1) != 0
            && (board.occupied() >>> square & 1) == 0
            && (board.occupied() >>> origin & 1) == 0;
    return fits ? square : -2;
  }

  /** A number without sign or leading zero, or -1 if it is none or below the minimum. */
  private static int parseNumber(String field, int min) {
    int number = NUMBER.matcher(field).matches() ? Integer.parseInt(field) : -1;
    return number >= min ? number : -1;
  }

  static String write(Position position) {
    StringBuilder out = new StringBuilder(80);
    for (int rank = 7; rank >= 0; rank--) {
      int empty = 0;
      for (int file = 0; file < 8; file++) {
        Optional<Piece> piece = position.at(rank * 8 + file);
        if (piece.isEmpty()) {
          empty++;
        } else {
          out.append(empty > 0 ? String.valueOf(empty) : "").append(piece.get().fenLetter());
          empty = 0;
        }
      }
      out.append(empty > 0 ? String.valueOf(empty) : "").append(rank > 0 ? "/" : "");
    }
    return out.append(position.turn() == Side.WHITE ? " w " : " b ")
        .append(castling(position.castling()))
        .append(' ')
        .append(position.enPassant() < 0 ? "-" : Move.name(position.enPassant()))
        .append(' ')
        .append(position.halfmoveClock())
        .append(' ')
        .append(position.fullmoveNumber())
        .toString();
  }
}
