package gambit.chess.clients;

import gambit.chess.game.Result;
import gambit.chess.game.Termination;
import gambit.chess.rules.Move;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.PieceKind;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;

/** Games with a chosen ending, found by random play from a seed. */
final class GamePlans {

  /** What the players do after the moves. */
  enum Finish {
    NOTHING,
    CLAIM,
    OFFER_AND_ACCEPT,
    OFFER_AND_OFFER,
    MOVER_RESIGNS,
    WAITER_RESIGNS,
    TWO_ILLEGAL_MOVES,
    MOVER_LEAVES,
    WAITER_LEAVES,
    ABORT,
    CANCEL
  }

  record Plan(List<String> moves, Finish finish, Result result, Termination termination) {
    @Override
    public String toString() {
      return termination.word() + " " + result.text() + " " + finish + " after " + moves.size();
    }
  }

  private final Random random;

  GamePlans(long seed) {
    random = new Random(seed);
  }

  /** Fifty-odd games, every ending several times. */
  List<Plan> all() {
    List<Plan> plans = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      plans.add(ending(Outcome.CHECKMATE));
      plans.add(ending(Outcome.STALEMATE));
      plans.add(ending(Outcome.DEAD_POSITION));
      plans.add(interrupted(Finish.OFFER_AND_ACCEPT, 2, Termination.AGREEMENT));
      plans.add(interrupted(Finish.MOVER_RESIGNS, 0, Termination.RESIGNATION));
      plans.add(interrupted(Finish.TWO_ILLEGAL_MOVES, 0, Termination.ILLEGALMOVES));
    }
    for (int i = 0; i < 3; i++) {
      plans.add(ending(Outcome.FIVEFOLD));
      plans.add(claim(Position::threefold, Termination.THREEFOLD));
      plans.add(interrupted(Finish.OFFER_AND_OFFER, 2, Termination.AGREEMENT));
      plans.add(interrupted(Finish.WAITER_RESIGNS, 0, Termination.RESIGNATION));
      plans.add(interrupted(Finish.MOVER_LEAVES, 2, Termination.ABANDONED));
      plans.add(interrupted(Finish.WAITER_LEAVES, 2, Termination.ABANDONED));
    }
    plans.add(ending(Outcome.SEVENTY_FIVE_MOVES));
    plans.add(claim(Position::fiftyMoves, Termination.FIFTYMOVES));
    plans.add(againstABareKing(Finish.TWO_ILLEGAL_MOVES, Termination.ILLEGALMOVES));
    plans.add(againstABareKing(Finish.MOVER_LEAVES, Termination.ABANDONED));
    plans.add(new Plan(List.of(), Finish.ABORT, Result.NONE, Termination.ABORTED));
    plans.add(new Plan(List.of("e2e4"), Finish.ABORT, Result.NONE, Termination.ABORTED));
    plans.add(new Plan(List.of(), Finish.CANCEL, Result.NONE, Termination.ABORTED));
    plans.add(new Plan(List.of("d2d4"), Finish.MOVER_LEAVES, Result.NONE, Termination.ABORTED));
    return plans;
  }

  /** A game that ends by its last move. */
  private Plan ending(Outcome wanted) {
    while (true) {
      List<String> moves = new ArrayList<>();
      Position position = Position.initial();
      while (position.outcome().isEmpty() && moves.size() < 400) {
        position = playOn(position, moves, wanted);
      }
      if (position.outcome().equals(Optional.of(wanted))) {
        Termination termination =
            switch (wanted) {
              case CHECKMATE -> Termination.CHECKMATE;
              case STALEMATE -> Termination.STALEMATE;
              case DEAD_POSITION -> Termination.DEADPOSITION;
              case FIVEFOLD -> Termination.FIVEFOLD;
              case SEVENTY_FIVE_MOVES -> Termination.SEVENTYFIVEMOVES;
            };
        boolean mate = wanted == Outcome.CHECKMATE;
        Result result = mate ? winner(position.turn().opponent()) : Result.DRAW;
        return new Plan(moves, Finish.NOTHING, result, termination);
      }
    }
  }

  /** A game that the side to move claims as a draw as soon as it can. */
  private Plan claim(Predicate<Position> claimable, Termination termination) {
    Outcome towards =
        termination == Termination.THREEFOLD ? Outcome.FIVEFOLD : Outcome.SEVENTY_FIVE_MOVES;
    List<String> moves = new ArrayList<>();
    Position position = Position.initial();
    while (!claimable.test(position)) {
      position = playOn(position, moves, towards);
    }
    return new Plan(moves, Finish.CLAIM, Result.DRAW, termination);
  }

  /** Some random moves, and then something else. */
  private Plan interrupted(Finish finish, int least, Termination termination) {
    while (true) {
      List<String> moves = new ArrayList<>();
      Position position = Position.initial();
      int plies = least + random.nextInt(40);
      while (moves.size() < plies && position.outcome().isEmpty()) {
        position = playOn(position, moves, null);
      }
      if (position.outcome().isEmpty()) {
        Side loser =
            finish == Finish.WAITER_RESIGNS || finish == Finish.WAITER_LEAVES
                ? position.turn().opponent()
                : position.turn();
        boolean draw = termination == Termination.AGREEMENT;
        Result result = draw ? Result.DRAW : winner(loser.opponent());
        return new Plan(moves, finish, result, termination);
      }
    }
  }

  /** The side to move does something that would lose, against one that has nothing to mate with. */
  private Plan againstABareKing(Finish finish, Termination termination) {
    while (true) {
      List<String> moves = new ArrayList<>();
      Position position = Position.initial();
      while (position.outcome().isEmpty() && moves.size() < 400) {
        if (!position.canMate(position.turn().opponent())) {
          return new Plan(moves, finish, Result.DRAW, termination);
        }
        position = playOn(position, moves, Outcome.DEAD_POSITION);
      }
    }
  }

  private static Result winner(Side side) {
    return side == Side.WHITE ? Result.WHITE_WINS : Result.BLACK_WINS;
  }

  /** Plays a move that leads to the wished-for outcome, or seems to. */
  private Position playOn(Position position, List<String> moves, Outcome wanted) {
    List<Move> legal = position.legalMoves();
    List<Move> good = legal.stream().filter(move -> leadsTo(position, move, wanted)).toList();
    if (good.isEmpty()) {
      good = legal.stream().filter(move -> seemsToLeadTo(position, move, moves, wanted)).toList();
    }
    if (good.isEmpty()) {
      good = legal;
    }
    Move move = good.get(random.nextInt(good.size()));
    moves.add(move.uci());
    return position.play(move).orElseThrow();
  }

  private static boolean leadsTo(Position position, Move move, Outcome wanted) {
    return wanted != null
        && position.play(move).orElseThrow().outcome().equals(Optional.of(wanted));
  }

  private static boolean seemsToLeadTo(
      Position position, Move move, List<String> moves, Outcome wanted) {
    boolean capture = position.at(move.to()).isPresent();
    boolean pawn = position.at(move.from()).orElseThrow().kind() == PieceKind.PAWN;
    if (wanted == Outcome.DEAD_POSITION) {
      return capture;
    } else if (wanted == Outcome.FIVEFOLD) {
      return isBack(move, moves) || (!hasLeft(moves) && !pawn && !capture);
    } else if (wanted == Outcome.SEVENTY_FIVE_MOVES) {
      boolean knight = position.at(move.from()).orElseThrow().kind() == PieceKind.KNIGHT;
      boolean home = position.turn() == Side.WHITE ? move.to() < 24 : move.to() >= 40;
      return knight && home && position.play(move).orElseThrow().occurrences() < 2;
    }
    return wanted == Outcome.STALEMATE && capture;
  }

  /** The move takes the side's last one back. */
  private static boolean isBack(Move move, List<String> moves) {
    String last = moves.size() < 2 ? "" : moves.get(moves.size() - 2);
    String uci = move.uci();
    return !last.isEmpty() && uci.equals(last.substring(2, 4) + last.substring(0, 2));
  }

  private static boolean hasLeft(List<String> moves) {
    return moves.size() >= 2;
  }
}
