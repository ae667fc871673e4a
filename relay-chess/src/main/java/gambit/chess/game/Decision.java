package gambit.chess.game;

/** The referee's decision on a command. */
public sealed interface Decision permits Step, Refusal {}
