package gambit.app.bench;

import gambit.chess.rules.Move;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * The moves of a whole game in UCI, and how it ends. Immutable.
 *
 * @param ending after the last move
 */
record BoxScript(List<String> moves, Ending ending) {
  /** A game that a player leaves before both have moved is aborted. */
  static final int MIN_PLIES = 2;

  /** How a game ends. */
  enum Ending {
    CHECKMATE("checkmate"),
    AGREEMENT("agreement"),
    RESIGNATION("resignation");

    private final String termination;

    Ending(String termination) {
      this.termination = termination;
    }

    /** The relay's name of it. */
    String termination() {
      return termination;
    }
  }

  /** Random games of this average length; a quarter ends as a draw, another by mate if it can. */
  static List<BoxScript> some(int count, int plies, Random random) {
    List<BoxScript> scripts = new ArrayList<>();
    int least = Math.max(MIN_PLIES, plies / 2);
    while (scripts.size() < count) {
      int length = least + random.nextInt(2 * Math.max(0, plies - least) + 1);
      switch (scripts.size() % 4) {
        case 0 -> scripts.add(play(length, Ending.AGREEMENT, random));
        case 1 -> scripts.add(play(length, Ending.CHECKMATE, random));
        default -> scripts.add(play(length, Ending.RESIGNATION, random));
      }
    }
    return scripts;
  }

  private static BoxScript play(int plies, Ending wanted, Random random) {
    List<String> moves = new ArrayList<>();
    Position position = Position.initial();
    while (moves.size() < plies) {
      List<Move> legal = new ArrayList<>(position.legalMoves());
      Collections.shuffle(legal, random);
      Optional<Move> mate = move(position, legal, Optional.of(Outcome.CHECKMATE));
      if (wanted == Ending.CHECKMATE && moves.size() >= MIN_PLIES && mate.isPresent()) {
        moves.add(mate.get().uci());
        return new BoxScript(List.copyOf(moves), wanted);
      }
      Optional<Move> next = move(position, legal, Optional.empty());
      if (next.isEmpty()) {
        return play(plies, wanted, random);
      }
      moves.add(next.get().uci());
      position = position.play(next.get()).orElseThrow();
    }
    return new BoxScript(
        List.copyOf(moves), wanted == Ending.CHECKMATE ? Ending.RESIGNATION : wanted);
  }

  private static Optional<Move> move(Position from, List<Move> legal, Optional<Outcome> outcome) {
    return legal.stream()
        .filter(move -> from.play(move).orElseThrow().outcome().equals(outcome))
        .findFirst();
  }

  /** The first moves of this game, which then ends by resignation. */
  BoxScript first(int plies) {
    return plies >= moves.size()
        ? this
        : new BoxScript(moves.subList(0, plies), Ending.RESIGNATION);
  }
}
