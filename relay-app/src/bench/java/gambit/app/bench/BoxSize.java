package gambit.app.bench;

/**
 * How much happens at once in a {@link Box}.
 *
 * @param connections of players, spectators and readers of notes
 * @param games that run
 * @param moves a second
 * @param pairings a second, and as many games that end
 * @param notes a second
 */
record BoxSize(int connections, int games, int moves, int pairings, int notes) {
  /** The average of a large chess server. */
  static final String DEFAULT = "20000,5000,2000,50,200";

  /** The average number of moves of a game. */
  int plies() {
    return moves / pairings;
  }

  /** Connections that each watch a game. */
  int spectators() {
    return (connections - 2 * games) / 2;
  }

  /** Connections that each follow some authors. */
  int readers() {
    return connections - 2 * games - spectators();
  }

  /** Whether the numbers fit together. */
  boolean isPossible() {
    return games > 0
        && pairings > 0
        && notes > 0
        && spectators() > 0
        && plies() >= BoxScript.MIN_PLIES;
  }
}
