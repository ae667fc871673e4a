package gambit.chess.game;

import gambit.chess.game.GameEvent.DrawDeclined;
import gambit.chess.game.GameEvent.DrawOffered;
import gambit.chess.game.GameEvent.Ended;
import gambit.chess.game.GameEvent.IllegalMove;
import gambit.chess.game.GameEvent.Moved;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.util.List;
import java.util.Optional;

/**
 * The rules of conduct of a game, as a function from a game and a command to a decision.
 *
 * <p>Stateless; any thread. Times are epoch milliseconds and only stamp the end of a game. The
 * table is complete: the first row that fits decides. In it, "you" is the side that asks; text in
 * quotes is a refusal; all else is a step, in which every win or draw is an {@code Ended}.
 *
 * <pre>
 * row              command    when                                  then
 * ---------------  ---------  ------------------------------------  -----------------------------
 * over             any        the game is over                      "no game in progress"
 * move waiting     Play       you are not in turn                   "not your turn"
 * move illegal     Play       not legal, your first such            IllegalMove(1)
 * move harmless    Play       not legal, opponent cannot mate       IllegalMove(2), draw
 * move forfeits    Play       not legal                             IllegalMove(2), opponent wins
 * move mates       Play       legal: checkmate                      Moved, you win
 * move stalemates  Play       legal: stalemate                      Moved, draw
 * move deadens     Play       legal: dead position                  Moved, draw
 * move repeats     Play       legal: this position a fifth time     Moved, draw
 * move is quiet    Play       legal: 75 quiet moves of each side    Moved, draw
 * move answers     Play       legal, the opponent's offer stands    Moved; the offer lapses
 * move asks        Play       legal, your own offer stands          Moved; the offer stands
 * move             Play       legal                                 Moved
 * offer agrees     OfferDraw  the opponent's offer stands           draw by agreement
 * offer too early  OfferDraw  you have not moved yet                "offer a draw only after a .."
 * offer too often  OfferDraw  under 20 plies since your last        "one draw offer in 20 plies"
 * offer            OfferDraw  else                                  DrawOffered
 * accept           Accept     the opponent's offer stands           draw by agreement
 * accept nothing   Accept     else                                  "nothing to accept"
 * decline          Decline    the opponent's offer stands           DrawDeclined; it lapses
 * decline nothing  Decline    else                                  "nothing to decline"
 * claim waiting    ClaimDraw  you are not in turn                   "not your turn"
 * claim threefold  ClaimDraw  this position a third time            draw by threefold repetition
 * claim fifty      ClaimDraw  50 quiet moves of each side           draw by fifty moves
 * claim nothing    ClaimDraw  else                                  "nothing to claim"
 * resign           Resign     always                                opponent wins
 * abort            Abort      before your second move               aborted, no result
 * abort too late   Abort      else                                  "too late to abort"
 * cancel           Cancel     before your first move                aborted, no result
 * cancel too late  Cancel     else                                  "too late to cancel"
 * abandon early    Abandon    before both sides have moved          aborted, no result
 * abandon bare     Abandon    the opponent cannot mate              draw
 * abandon          Abandon    else                                  opponent wins
 * </pre>
 *
 * <p>Illegal moves are counted per side over the whole game and are never forgiven (after FIDE
 * 7.5.5); a dialect that does not count them looks at the position first. A move with a draw offer
 * is a {@code Play} and, if the game goes on, an {@code OfferDraw} on its outcome (FIDE 9.1.2.1).
 * "Cannot mate" is by no series of legal moves, as far as {@link Position#canMate} sees (FIDE 6.9).
 */
public final class Referee {

  private static final int ILLEGAL_MOVES = 2;
  private static final int PLIES_BETWEEN_OFFERS = 20;

  private static final Refused NO_GAME = new Refused("no game in progress");
  private static final Refused NOT_YOUR_TURN = new Refused("not your turn");
  private static final Refused NOTHING_TO_ACCEPT = new Refused("nothing to accept");
  private static final Refused NOTHING_TO_DECLINE = new Refused("nothing to decline");
  private static final Refused NOTHING_TO_CLAIM = new Refused("nothing to claim");
  private static final Refused OFFER_TOO_EARLY =
      new Refused("offer a draw only after a move of your own");
  private static final Refused OFFER_TOO_OFTEN = new Refused("one draw offer in 20 plies");
  private static final Refused TOO_LATE_TO_ABORT = new Refused("too late to abort");
  private static final Refused TOO_LATE_TO_CANCEL = new Refused("too late to cancel");

  private Referee() {}

  /**
   * Decides one command.
   *
   * @param now epoch milliseconds, when the command arrived
   */
  public static Decision decide(Game game, Command command, long now) {
    if (!(game instanceof Playing playing)) {
      return NO_GAME;
    }
    if (command instanceof Command.Play play) {
      return play(playing, play, now);
    } else if (command instanceof Command.OfferDraw) {
      return offer(playing, command.by(), now);
    } else if (command instanceof Command.Accept) {
      return accept(playing, command.by(), now);
    } else if (command instanceof Command.Decline) {
      return decline(playing, command.by());
    } else if (command instanceof Command.ClaimDraw) {
      return claim(playing, command.by(), now);
    } else if (command instanceof Command.Resign) {
      return end(playing, winOver(command.by()), Termination.RESIGNATION, now);
    } else if (command instanceof Command.Abort) {
      return playing.movesOf(command.by()) < 2 ? abort(playing, now) : TOO_LATE_TO_ABORT;
    } else if (command instanceof Command.Cancel) {
      return playing.movesOf(command.by()) < 1 ? abort(playing, now) : TOO_LATE_TO_CANCEL;
    } else if (command instanceof Command.Abandon) {
      return abandon(playing, command.by(), now);
    }
    throw new AssertionError("a command without a row: " + command);
  }

  private static Decision play(Playing game, Command.Play play, long now) {
    Side side = play.by();
    if (side != game.turn()) {
      return NOT_YOUR_TURN;
    }
    Optional<Position> played = game.position().play(play.move());
    if (played.isEmpty()) {
      return illegal(game, play, now);
    }
    Position position = played.get();
    Side standing = game.isOffered(side) ? null : game.drawOffer();
    Playing next = game.afterMove(play.move(), position, standing);
    Moved moved = new Moved(side, play.move());
    Optional<Outcome> outcome = position.outcome();
    if (outcome.isEmpty()) {
      return new Step(next, List.of(moved));
    }
    Termination termination = Termination.of(outcome.get());
    Result result = termination == Termination.CHECKMATE ? Result.winFor(side) : Result.DRAW;
    return new Step(
        new Over(next, result, termination, now), List.of(moved, new Ended(result, termination)));
  }

  private static Step illegal(Playing game, Command.Play play, long now) {
    Side side = play.by();
    Conduct conduct = game.conduct(side).withIllegalMove();
    Playing next = game.withConduct(side, conduct);
    IllegalMove counted = new IllegalMove(side, play.move(), conduct.illegalMoves());
    if (conduct.illegalMoves() < ILLEGAL_MOVES) {
      return new Step(next, List.of(counted));
    }
    Result result = lossOrDraw(game, side);
    return new Step(
        new Over(next, result, Termination.ILLEGALMOVES, now),
        List.of(counted, new Ended(result, Termination.ILLEGALMOVES)));
  }

  private static Decision offer(Playing game, Side side, long now) {
    if (game.isOffered(side)) {
      return end(game, Result.DRAW, Termination.AGREEMENT, now);
    }
    if (game.movesOf(side) == 0) {
      return OFFER_TOO_EARLY;
    }
    Conduct conduct = game.conduct(side);
    int ply = game.plies();
    if (!conduct.mayOfferAt(ply, PLIES_BETWEEN_OFFERS)) {
      return OFFER_TOO_OFTEN;
    }
    Playing next = game.withConduct(side, conduct.withOfferAt(ply)).withDrawOffer(side);
    return new Step(next, List.of(new DrawOffered(side)));
  }

  private static Decision accept(Playing game, Side side, long now) {
    return game.isOffered(side)
        ? end(game, Result.DRAW, Termination.AGREEMENT, now)
        : NOTHING_TO_ACCEPT;
  }

  private static Decision decline(Playing game, Side side) {
    return game.isOffered(side)
        ? new Step(game.withDrawOffer(null), List.of(new DrawDeclined(side)))
        : NOTHING_TO_DECLINE;
  }

  private static Decision claim(Playing game, Side side, long now) {
    if (side != game.turn()) {
      return NOT_YOUR_TURN;
    }
    if (game.position().threefold()) {
      return end(game, Result.DRAW, Termination.THREEFOLD, now);
    }
    if (game.position().fiftyMoves()) {
      return end(game, Result.DRAW, Termination.FIFTYMOVES, now);
    }
    return NOTHING_TO_CLAIM;
  }

  private static Step abandon(Playing game, Side side, long now) {
    return game.plies() < 2
        ? abort(game, now)
        : end(game, lossOrDraw(game, side), Termination.ABANDONED, now);
  }

  private static Step abort(Playing game, long now) {
    return end(game, Result.NONE, Termination.ABORTED, now);
  }

  private static Step end(Playing game, Result result, Termination termination, long now) {
    return new Step(
        new Over(game, result, termination, now), List.of(new Ended(result, termination)));
  }

  private static Result winOver(Side loser) {
    return Result.winFor(loser.opponent());
  }

  /** What the side gets that forfeits: a draw if its opponent could not have mated it anyway. */
  private static Result lossOrDraw(Playing game, Side side) {
    return game.position().canMate(side.opponent()) ? winOver(side) : Result.DRAW;
  }
}
