package gambit.chess.rules;

/** The reasons for which a position ends the game without a claim (FIDE 5.1.1, 5.2, 9.6). */
public enum Outcome {
  CHECKMATE,
  STALEMATE,
  DEAD_POSITION,
  FIVEFOLD,
  SEVENTY_FIVE_MOVES
}
