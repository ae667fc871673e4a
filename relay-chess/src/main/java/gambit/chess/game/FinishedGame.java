package gambit.chess.game;

/**
 * A finished game, which no command changes. Immutable.
 *
 * @param last its last state, which includes the last move
 * @param result {@link Result#NONE} only if the game was aborted
 * @param endedAt epoch milliseconds
 */
public record FinishedGame(OngoingGame last, Result result, Termination termination, long endedAt)
    implements Game {}
