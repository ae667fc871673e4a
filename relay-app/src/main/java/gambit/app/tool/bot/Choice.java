package gambit.app.tool.bot;

import gambit.chess.rules.Move;

/**
 * A chosen move. Immutable.
 *
 * @param move a legal move
 * @param score the value of the position for the side to move, in hundredths of a pawn; a mate is
 *     worth some 30,000
 * @param source who chose the move
 */
record Choice(Move move, int score, Source source) {

  /** The engine that chose a move. */
  enum Source {
    /** The engine of this program, which is the only one. */
    OWN,
    /** The configured UCI engine. */
    UCI,
    /** The engine of this program, because the UCI engine has failed. */
    FALLBACK
  }
}
