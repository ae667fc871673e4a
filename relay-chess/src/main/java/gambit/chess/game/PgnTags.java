package gambit.chess.game;

/**
 * The tags of a PGN text that a {@link Game} does not contain (PGN standard 8.1.1).
 *
 * @param site the relay's URL
 * @param white the name of White
 * @param black the name of Black
 */
public record PgnTags(String event, String site, String white, String black) {}
