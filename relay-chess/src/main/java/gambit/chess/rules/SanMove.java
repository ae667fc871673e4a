package gambit.chess.rules;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A move in Standard Algebraic Notation (PGN 8.2.3), read as other programs write it: with or
 * without check marks and the {@code x} of a capture, with more of the origin than necessary,
 * followed by {@code !} and {@code ?}. A mark that is present must be true. Immutable.
 *
 * @param from the squares that the text allows as the origin, as a set
 * @param castling the number of files that the king moves: 2, -2, or 0 if it does not castle
 * @param mark the check mark: {@code +}, {@code #}, or a space
 */
public record SanMove(
    PieceKind kind,
    long from,
    int to,
    @Nullable PieceKind promotion,
    int castling,
    boolean captures,
    char mark) {
  /** Reads a move; empty if the text does not have the form of one. */
  public static Optional<SanMove> parse(String san) {
    int marked = endWithout(san, san.length(), "!?", 2);
    int end = endWithout(san, marked, "#", 1);
    end = end < marked ? end : endWithout(san, marked, "+", 2);
    char mark = end < marked ? san.charAt(end) : ' ';
    if (san.startsWith("O-") || san.startsWith("0-")) {
      boolean isLong = end == 5 && (san.startsWith("-O", 3) || san.startsWith("-0", 3));
      return (end == 3 || isLong) && (san.charAt(2) == 'O' || san.charAt(2) == '0')
          ? Optional.of(new SanMove(PieceKind.KING, 0, 0, null, isLong ? -2 : 2, false, mark))
          : Optional.empty();
    }
    int target = endWithout(san, end, "QRBN", 1);
    PieceKind promotion = target < end ? PieceKind.of(san.charAt(target)) : null;
    target = (promotion == null ? target : endWithout(san, target, "=", 1)) - 2;
    int to = target < 0 ? -1 : Move.square(san.charAt(target), san.charAt(target + 1));
    if (to < 0) {
      return Optional.empty();
    }
    int originEnd = endWithout(san, target, "x", 1);
    int at = 0;
    PieceKind kind = PieceKind.PAWN;
    long from = -1;
    if (at < originEnd && "KQRBNP".indexOf(san.charAt(at)) >= 0) {
      kind = Objects.requireNonNull(PieceKind.of(san.charAt(at++)));
    }
    if (at < originEnd && "abcdefgh".indexOf(san.charAt(at)) >= 0) {
      from &= Attacks.FILE_A << (san.charAt(at++) - 'a');
    }
    if (at < originEnd && "12345678".indexOf(san.charAt(at)) >= 0) {
      from &= Attacks.RANK_1 << 8 * (san.charAt(at++) - '1');
    }
    return at == originEnd
        ? Optional.of(new SanMove(kind, from, to, promotion, 0, originEnd < target, mark))
        : Optional.empty();
  }

  /** The end of a text without some last characters, of which there may be a number. */
  private static int endWithout(String text, int end, String characters, int most) {
    int at = end;
    while (at > 0 && end - at < most && characters.indexOf(text.charAt(at - 1)) >= 0) {
      at--;
    }
    return at;
  }

  /** The only legal move that fits; empty if there is none or more than one. */
  public Optional<LegalMove> in(Position position) {
    long origins =
        castling == 0
            ? position.origins(kind, to) & from
            : position.squares(position.turn(), PieceKind.KING);
    if (Long.bitCount(origins) != 1) {
      return Optional.empty();
    }
    int origin = Long.numberOfTrailingZeros(origins);
    int files = castling == 0 ? to - origin : castling;
    boolean castles = kind == PieceKind.KING && Math.abs(files) == 2;
    if (castles != (castling != 0) || (captures && !isCapture(origin, position))) {
      return Optional.empty();
    }
    Move move = new Move(origin, origin + files, promotion);
    return LegalMove.of(position, move).filter(legal -> isMarkTrue(legal.after()));
  }

  private boolean isCapture(int origin, Position position) {
    boolean enPassant = kind == PieceKind.PAWN && (to - origin) % 8 != 0;
    return enPassant || position.at(to).isPresent();
  }

  private boolean isMarkTrue(Position next) {
    return mark == ' '
        || (mark == '#' ? next.outcome().equals(Optional.of(Outcome.CHECKMATE)) : next.inCheck());
  }

  static String write(Position position, Move move) {
    Position next =
        position
            .play(move)
            .orElseThrow(() -> new IllegalArgumentException(move.uci() + " is illegal"));
    String check = !next.inCheck() ? "" : next.legalMoves().isEmpty() ? "#" : "+";
    return body(position, move) + check;
  }

  private static String body(Position position, Move move) {
    PieceKind kind = position.board().kindAt(move.from());
    boolean capture = position.board().kindAt(move.to()) != null;
    String to = Move.name(move.to());
    if (kind == PieceKind.KING && Math.abs(move.to() - move.from()) == 2) {
      return move.to() > move.from() ? "O-O" : "O-O-O";
    } else if (kind == PieceKind.PAWN || kind == null) {
      boolean captures = move.from() % 8 != move.to() % 8;
      String promotion = move.promotion() == null ? "" : "=" + letter(move.promotion());
      return (captures ? Move.name(move.from()).charAt(0) + "x" : "") + to + promotion;
    }
    return letter(kind) + from(position, move, kind) + (capture ? "x" : "") + to;
  }

  /** The shortest unambiguous origin of a piece: nothing, its file, its rank, or both. */
  private static String from(Position position, Move move, PieceKind kind) {
    long others = position.origins(kind, move.to()) & ~(1L << move.from());
    if (others == 0) {
      return "";
    }
    String name = Move.name(move.from());
    if ((others & Attacks.FILE_A << move.from() % 8) == 0) {
      return name.substring(0, 1);
    }
    return (others & Attacks.RANK_1 << (move.from() & 56)) == 0 ? name.substring(1) : name;
  }

  private static String letter(PieceKind kind) {
    return String.valueOf(kind.letter()).toUpperCase(Locale.ROOT);
  }
}
