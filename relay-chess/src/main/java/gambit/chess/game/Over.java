package gambit.chess.game;

/**
 * A game that has ended, with the state in which it ended.
 *
 * <p>Immutable; no command changes it.
 *
 * @param last the game at its end, the last move included
 * @param result {@link Result#NONE} only when the game was aborted
 * @param endedAt epoch milliseconds
 */
public record Over(Playing last, Result result, Termination termination, long endedAt)
    implements Game {}
