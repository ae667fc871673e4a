package gambit.chess.game;

/** The state of a game. Immutable; {@link Referee} decides each transition. */
public sealed interface Game permits OngoingGame, FinishedGame {}
