package gambit.chess.game;

/**
 * The refusal of a command, which changes nothing.
 *
 * @param text the reason, for the player, as it follows {@code invalid: } in an OK
 */
public record Refusal(String text) implements Ruling {}
