package gambit.chess.game;

/**
 * How a game stands.
 *
 * <p>Immutable; {@link Referee} leads from one to the next.
 */
public sealed interface Game permits Playing, Over {}
