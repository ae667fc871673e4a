package gambit.chess.game;

/** The types of proposals to the opponent. */
public enum ProposalType {
  /** To end the game in a draw. */
  DRAW,
  /** To undo the proposing side's last move. */
  TAKEBACK
}
