package gambit.chess.game;

/**
 * A command that changed nothing.
 *
 * @param text why, for the player: what follows {@code invalid: } in an OK
 */
public record Refused(String text) implements Decision {}
