package gambit.chess.game;

/**
 * The tags of a PGN text that a {@link Game} does not contain (PGN standard 8.1.1).
 *
 * @param whiteLevel the strength of a program that plays White at one of several; else 0
 */
public record PgnTags(
    String event, String site, String white, String black, int whiteLevel, int blackLevel) {
  public PgnTags(String event, String site, String white, String black) {
    this(event, site, white, black, 0, 0);
  }
}
