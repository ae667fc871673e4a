package gambit.chess.game;

/** The referee's answer to one command. */
public sealed interface Decision permits Step, Refused {}
