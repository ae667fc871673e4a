package gambit.chess.game;

/**
 * What a game's record says that the game itself does not know (PGN standard 8.1.1, 9.6.1).
 *
 * @param site where it was played, the relay's URL
 * @param white the player's name, and so {@code black}
 * @param timeControl in PGN's own syntax, as {@code 300+3}
 */
public record PgnTags(String event, String site, String white, String black, String timeControl) {}
