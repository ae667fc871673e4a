package gambit.chess.game;

import gambit.chess.rules.Outcome;
import java.util.Locale;

/** Why a game ended (FIDE Laws articles 5, 6, 7.5 and 9; PGN standard 9.8.1). */
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
  /** Ended before it counted: no result and no record. */
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

  /** The value of PGN's {@code Termination} tag. */
  public String pgn() {
    return pgn;
  }

  /** The reason that goes with an end by the position alone. */
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
