package gambit.chess.game;

/** The tags of a PGN text that a {@link Game} does not contain (PGN standard 8.1.1). */
public record PgnTags(String event, String site, String white, String black) {}
