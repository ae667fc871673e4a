package gambit.chess.rules;

/** Why a game is over by its position alone, without anybody's claim (FIDE 5.1.1, 5.2, 9.6). */
public enum Outcome {
  CHECKMATE,
  STALEMATE,
  DEAD_POSITION,
  FIVEFOLD,
  SEVENTY_FIVE_MOVES
}
