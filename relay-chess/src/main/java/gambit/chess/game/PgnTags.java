package gambit.chess.game;

/** The tags of a PGN text that a {@link Game} does not contain (PGN standard 8.1.1). */
public record PgnTags(String event, String site, Player white, Player black) {
  /**
   * A player.
   *
   * @param level the strength of a program that plays at one of several; else 0
   * @param elo the rating when the game began, or 0
   */
  public record Player(String name, int level, int elo) {
    public Player(String name) {
      this(name, 0, 0);
    }
  }

  public PgnTags(String event, String site, String white, String black) {
    this(event, site, new Player(white), new Player(black));
  }
}
