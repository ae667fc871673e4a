package gambit.chess.game;

import gambit.chess.rules.LegalMove;
import gambit.chess.rules.Move;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.Piece;
import gambit.chess.rules.PieceKind;
import gambit.chess.rules.Position;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A move in Standard Algebraic Notation as other programs write it (PGN 8.2.3): with or without
 * check marks and the {@code x} of a capture, with more of the origin than necessary, followed by
 * {@code !} and {@code ?}. A mark that is present must be true. Immutable.
 *
 * @param from file, rank or square of the piece, or empty
 * @param castling the number of files that the king moves: 2, -2, or 0 if it does not castle
 * @param mark the check mark, or empty
 */
record SanMove(
    PieceKind kind,
    String from,
    int to,
    @Nullable PieceKind promotion,
    int castling,
    boolean captures,
    String mark) {

  private static final Pattern FORM =
      Pattern.compile(
          "([KQRBNP]?)([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=?([QRBN]))?(\\+{0,2}|#)[!?]{0,2}");
  private static final Pattern CASTLING = Pattern.compile("(O-O|0-0)(-O|-0)?(\\+{0,2}|#)[!?]{0,2}");

  /** Reads a move; empty if the text does not have the form of one. */
  static Optional<SanMove> parse(String san) {
    Matcher castling = CASTLING.matcher(san);
    if (castling.matches()) {
      int files = castling.group(2) == null ? 2 : -2;
      return Optional.of(new SanMove(PieceKind.KING, "", 0, null, files, false, castling.group(3)));
    }
    Matcher form = FORM.matcher(san);
    if (!form.matches()) {
      return Optional.empty();
    }
    PieceKind kind = kind(form.group(1));
    String to = form.group(4);
    return Optional.of(
        new SanMove(
            kind == null ? PieceKind.PAWN : kind,
            form.group(2),
            Move.square(to.charAt(0), to.charAt(1)),
            kind(form.group(5)),
            0,
            !form.group(3).isEmpty(),
            form.group(6)));
  }

  private static @Nullable PieceKind kind(@Nullable String letter) {
    return letter == null || letter.isEmpty() ? null : PieceKind.of(letter.charAt(0));
  }

  /** The only legal move that fits; empty if there is none or more than one. */
  Optional<LegalMove> in(Position position) {
    List<Move> fitting =
        position.legalMoves().stream().filter(move -> fits(move, position)).toList();
    return fitting.size() == 1
        ? LegalMove.of(position, fitting.get(0)).filter(move -> isMarkTrue(move.after()))
        : Optional.empty();
  }

  private boolean fits(Move move, Position position) {
    if (castling == 0 ? move.to() != to : move.to() - move.from() != castling) {
      return false;
    }
    PieceKind mover = position.at(move.from()).map(Piece::kind).orElseThrow();
    boolean castles = mover == PieceKind.KING && Math.abs(move.to() - move.from()) == 2;
    if (castling != 0 || castles) {
      return castling != 0 && castles;
    }
    String square = move.uci().substring(0, 2);
    return mover == kind
        && move.promotion() == promotion
        && (square.startsWith(from) || square.endsWith(from))
        && (!captures || isCapture(move, position));
  }

  private boolean isCapture(Move move, Position position) {
    boolean enPassant = kind == PieceKind.PAWN && (move.to() - move.from()) % 8 != 0;
    return enPassant || position.at(move.to()).isPresent();
  }

  private boolean isMarkTrue(Position next) {
    return mark.isEmpty()
        || (mark.equals("#")
            ? next.outcome().equals(Optional.of(Outcome.CHECKMATE))
            : next.inCheck());
  }
}
