package gambit.app.tool.bot;

/** When a bot agrees to a draw. Scores are in hundredths of a pawn, from the bot's side. */
final class DrawPolicy {
  /** A bot does not agree to a draw earlier, unless it is losing. */
  private static final int FIRST_MOVE = 10;

  private static final int LOSING = -150;

  private DrawPolicy() {}

  /** Whether to accept a draw offer. */
  static boolean accepts(int score, int move) {
    return move < FIRST_MOVE ? score <= LOSING : score <= 0;
  }

  /** Whether to claim a draw to which the bot has a right. */
  static boolean claims(int score) {
    return score <= 0;
  }
}
