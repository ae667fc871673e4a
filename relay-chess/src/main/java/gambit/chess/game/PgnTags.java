package gambit.chess.game;

/**
 * What a game's record says that the game itself does not know (PGN standard 8.1.1).
 *
 * @param site where it was played, the relay's URL
 * @param white the player's name, and so {@code black}
 */
public record PgnTags(String event, String site, String white, String black) {}
