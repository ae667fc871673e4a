package gambit.chess.game;

/** The referee's ruling on a command. */
public sealed interface Ruling permits Step, Refusal {}
