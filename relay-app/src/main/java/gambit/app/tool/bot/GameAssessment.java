package gambit.app.tool.bot;

import gambit.chess.engine.Level;
import gambit.chess.rules.PieceKind;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;

/**
 * Whether a bot's game is lost or a draw, by its scores of the last positions in which it was to
 * move. Owned by its game.
 */
final class GameAssessment {
  /** With such a score for so many moves, and so many pawns less, a game is lost. */
  private static final int LOST = -900;

  private static final int LOST_MOVES = 4;
  private static final int LOST_PAWNS = 5;

  /** Being mated is a score below this. */
  private static final int MATED = -29_000;

  /** With such a score, a draw is a gain. */
  private static final int LOSING = -150;

  /** With a score this close to 0 for so many moves, a late game is a draw. */
  private static final int EVEN = 30;

  private static final int EVEN_MOVES = 8;

  /** The value of all pieces other than pawns in a late game, in pawns: two rooks each. */
  private static final int LATE = 20;

  /** Without pawns, such an advantage does not win: rook against bishop, for instance. */
  private static final int DRAWN_PAWNS = 3;

  /** At least the plies that the relay requires between two offers of a player. */
  private static final int PLIES_BETWEEN_OFFERS = 40;

  private static final int[] VALUES = {1, 3, 3, 5, 9, 0};

  private int score;
  private int lostMoves;
  private int evenMoves;
  private int offeredAt = -PLIES_BETWEEN_OFFERS;

  /** Adds the score of a position for the bot, which is to move. */
  void add(Position position, int value) {
    score = value;
    lostMoves = value <= LOST ? lostMoves + 1 : 0;
    int pieces = pieces(position, Side.WHITE) + pieces(position, Side.BLACK);
    evenMoves = Math.abs(value) <= EVEN && pieces <= LATE ? evenMoves + 1 : 0;
  }

  void reset() {
    lostMoves = 0;
    evenMoves = 0;
  }

  /** Whether a bot of a level resigns; weak ones let their opponents practise the mate. */
  boolean resigns(Level level, Position position) {
    Side ours = position.turn();
    int behind = material(position, ours.opponent()) - material(position, ours);
    return level.number() >= Level.THREE.number()
        && lostMoves >= LOST_MOVES
        && (behind >= LOST_PAWNS || score < MATED);
  }

  boolean agreesToDraw(Position position) {
    return score <= LOSING || isDrawn(position);
  }

  /** Whether the bot offers a draw with its move, which is remembered. */
  boolean offersDraw(Position position) {
    int ply = 2 * position.fullmoveNumber() + position.turn().index();
    boolean isOffered = isDrawn(position) && ply - offeredAt >= PLIES_BETWEEN_OFFERS;
    offeredAt = isOffered ? ply : offeredAt;
    return isOffered;
  }

  private boolean isDrawn(Position position) {
    int difference = material(position, Side.WHITE) - material(position, Side.BLACK);
    return evenMoves >= EVEN_MOVES
        || (position.occurrences() >= 2 && Math.abs(score) <= EVEN)
        || (pawns(position) == 0 && Math.abs(difference) <= DRAWN_PAWNS);
  }

  private static int pawns(Position position) {
    return Long.bitCount(
        position.squares(Side.WHITE, PieceKind.PAWN)
            | position.squares(Side.BLACK, PieceKind.PAWN));
  }

  private static int pieces(Position position, Side side) {
    return material(position, side) - Long.bitCount(position.squares(side, PieceKind.PAWN));
  }

  private static int material(Position position, Side side) {
    int sum = 0;
    for (PieceKind kind : PieceKind.values()) {
      sum += VALUES[kind.index()] * Long.bitCount(position.squares(side, kind));
    }
    return sum;
  }
}
