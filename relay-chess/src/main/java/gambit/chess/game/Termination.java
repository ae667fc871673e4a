package gambit.chess.game;

import gambit.chess.rules.Outcome;
import java.util.Locale;

/**
 * The reasons for which a game can end (FIDE Laws articles 5, 6, 7.5 and 9; PGN standard 9.8.1).
 */
public enum Termination {
  CHECKMATE("normal"),
  STALEMATE("normal"),
  DEADPOSITION("normal"),
  THREEFOLD("normal"),
  FIVEFOLD("normal"),
  FIFTYMOVES("normal"),
  SEVENTYFIVEMOVES("normal"),
  AGREEMENT("normal"),
  RESIGNATION("normal"),
  TIMEOUT("time forfeit"),
  ILLEGALMOVES("rules infraction"),
  ABANDONED("abandoned"),
  /** Without a result and without a record. */
  ABORTED("abandoned");

  private final String word = name().toLowerCase(Locale.ROOT);
  private final String pgn;

  Termination(String pgn) {
    this.pgn = pgn;
  }

  /** The word of the {@code termination} tag, in lower case. */
  public String word() {
    return word;
  }

  public String pgn() {
    return pgn;
  }

  public static Termination of(Outcome outcome) {
    return switch (outcome) {
      case CHECKMATE -> CHECKMATE;
      case STALEMATE -> STALEMATE;
      case DEAD_POSITION -> DEADPOSITION;
      case FIVEFOLD -> FIVEFOLD;
      case SEVENTY_FIVE_MOVES -> SEVENTYFIVEMOVES;
    };
  }
}
