package gambit.chess.game;

import gambit.chess.game.GameEvent.DrawDeclined;
import gambit.chess.game.GameEvent.DrawOffered;
import gambit.chess.game.GameEvent.Ended;
import gambit.chess.game.GameEvent.IllegalMove;
import gambit.chess.game.GameEvent.Moved;
import gambit.chess.game.GameEvent.TakebackAsked;
import gambit.chess.game.GameEvent.TakebackDeclined;
import gambit.chess.game.GameEvent.TakenBack;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules of conduct of a game, as a function from a game and a command to a decision.
 *
 * <p>Stateless; any thread. Times are epoch milliseconds. The table is complete: the first row that
 * fits decides. In it, "you" is the side that asks; text in quotes is a refusal; all else is a
 * step, in which every win or draw is an {@code Ended}. An offer and a request are the draw offer
 * and the takeback request that stand.
 *
 * <pre>
 * row              command    when                                  then
 * ---------------  ---------  ------------------------------------  -----------------------------
 * over             any        the game is over                      "no game in progress"
 * time left        TimeUp     before the deadline                   "there is time left"
 * time unmoved     TimeUp     it was for a first move               aborted, no result
 * time bare        TimeUp     who is not to move cannot mate        draw
 * time             TimeUp     else                                  who is not to move wins
 * too late         any else   at the deadline or later              "time is up"
 * move waiting     Play       you are not in turn                   "not your turn"
 * move doubles     Play       with an offer, your offer stands      "your draw offer stands al.."
 * move insists     Play       with an offer, under 20 plies         "one draw offer in 20 plies"
 * move crosses     Play       with an offer, your request stands    "a takeback request stands"
 * move illegal     Play       not legal, your first such            IllegalMove(1)
 * move harmless    Play       not legal, opponent cannot mate       IllegalMove(2), draw
 * move forfeits    Play       not legal                             IllegalMove(2), opponent wins
 * move mates       Play       legal: checkmate                      Moved, you win
 * move stalemates  Play       legal: stalemate                      Moved, draw
 * move deadens     Play       legal: dead position                  Moved, draw
 * move repeats     Play       legal: this position a fifth time     Moved, draw
 * move is quiet    Play       legal: 75 quiet moves of each side    Moved, draw
 * move offers      Play       legal, with an offer                  Moved, DrawOffered
 * move answers     Play       legal, you are asked for something    Moved; that lapses
 * move asks        Play       legal, you have asked for something   Moved; that stands
 * move             Play       legal                                 Moved
 * offer agrees     OfferDraw  the opponent's offer stands           draw by agreement
 * offer too early  OfferDraw  you have not moved yet                "offer a draw only after a .."
 * offer doubles    OfferDraw  your offer stands                     "your draw offer stands al.."
 * offer too often  OfferDraw  under 20 plies since your last        "one draw offer in 20 plies"
 * offer crosses    OfferDraw  a request stands                      "a takeback request stands"
 * offer            OfferDraw  else                                  DrawOffered
 * undo agrees      Takeback   the opponent's request stands         TakenBack
 * undo crosses     Takeback   an offer stands                       "a draw offer stands"
 * undo doubles     Takeback   your request stands                   "your takeback request st.."
 * undo nothing     Takeback   you have not moved yet                "nothing to take back"
 * undo too often   Takeback   you have asked since the last move    "one takeback request betw.."
 * undo             Takeback   else                                  TakebackAsked
 * accept           Accept     the opponent's offer stands           draw by agreement
 * accept undo      Accept     the opponent's request stands         TakenBack
 * accept nothing   Accept     else                                  "nothing to accept"
 * decline          Decline    the opponent's offer stands           DrawDeclined; it lapses
 * decline undo     Decline    the opponent's request stands         TakebackDeclined; it lapses
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
 * that is not allowed is refused before the move is looked at. A takeback undoes the asker's last
 * move, and the opponent's after it if there is one, so that the asker is to move. "Cannot mate" is
 * by no series of legal moves, as far as {@link Position#canMate} sees (FIDE 6.9).
 */
public final class Referee {

  /** The answer to what arrives after the deadline: the game is to be ended by {@code TimeUp}. */
  public static final Refused TOO_LATE = new Refused("time is up");

  /** The answer to a move, or a claim, of the side that is not in turn. */
  public static final Refused NOT_YOUR_TURN = new Refused("not your turn");

  private static final int ILLEGAL_MOVES = 2;
  private static final int PLIES_BETWEEN_OFFERS = 20;

  private static final Refused NO_GAME = new Refused("no game in progress");
  private static final Refused TIME_LEFT = new Refused("there is time left");
  private static final Refused NOTHING_TO_ACCEPT = new Refused("nothing to accept");
  private static final Refused NOTHING_TO_DECLINE = new Refused("nothing to decline");
  private static final Refused NOTHING_TO_CLAIM = new Refused("nothing to claim");
  private static final Refused NOTHING_TO_TAKE_BACK = new Refused("nothing to take back");
  private static final Refused OFFER_STANDS = new Refused("a draw offer stands");
  private static final Refused REQUEST_STANDS = new Refused("a takeback request stands");
  private static final Refused OWN_OFFER_STANDS =
      new Refused("your draw offer stands already, nothing has changed");
  private static final Refused OWN_REQUEST_STANDS =
      new Refused("your takeback request stands already, nothing has changed");
  private static final Refused OFFER_TOO_EARLY =
      new Refused("offer a draw only after a move of your own");
  private static final Refused OFFER_TOO_OFTEN = new Refused("one draw offer in 20 plies");
  private static final Refused REQUEST_TOO_OFTEN =
      new Refused("one takeback request between two moves");
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
    boolean late = now >= playing.deadline();
    if (command instanceof Command.TimeUp) {
      return late ? timeUp(playing, now) : TIME_LEFT;
    }
    return late ? TOO_LATE : decideInTime(playing, command, now);
  }

  private static Decision decideInTime(Playing game, Command command, long now) {
    if (command instanceof Command.Play play) {
      return play(game, play, now);
    } else if (command instanceof Command.OfferDraw offer) {
      return offer(game, offer.by(), now);
    } else if (command instanceof Command.Takeback takeback) {
      return takeback(game, takeback.by(), now);
    } else if (command instanceof Command.Accept accept) {
      return accept(game, accept.by(), now);
    } else if (command instanceof Command.Decline decline) {
      return decline(game, decline.by(), now);
    } else if (command instanceof Command.ClaimDraw claim) {
      return claim(game, claim.by(), now);
    } else if (command instanceof Command.Resign resign) {
      return end(game, winOver(resign.by()), Termination.RESIGNATION, now);
    } else if (command instanceof Command.Abort abort) {
      return game.movesOf(abort.by()) < 2 ? abort(game, now) : TOO_LATE_TO_ABORT;
    } else if (command instanceof Command.Cancel cancel) {
      return game.movesOf(cancel.by()) < 1 ? abort(game, now) : TOO_LATE_TO_CANCEL;
    } else if (command instanceof Command.Abandon abandon) {
      return abandon(game, abandon.by(), now);
    }
    throw new AssertionError("a command without a row: " + command);
  }

  private static Step timeUp(Playing game, long now) {
    return game.clock().running() == null
        ? abort(game, now)
        : end(game, lossOrDraw(game, game.turn()), Termination.TIMEOUT, now);
  }

  private static Decision play(Playing game, Command.Play play, long now) {
    Side side = play.by();
    if (side != game.turn()) {
      return NOT_YOUR_TURN;
    }
    int ply = game.plies() + 1;
    Proposal own = game.proposalBy(side);
    Refused objection = play.offersDraw() ? objectionToOffer(game, side, own, ply) : null;
    if (objection != null) {
      return objection;
    }
    Optional<Position> played = game.position().play(play.move());
    if (played.isEmpty()) {
      return illegal(game, play, now);
    }
    Position position = played.get();
    Playing next = game.afterMove(play.move(), position, now);
    Moved moved = new Moved(side, play.move());
    Optional<Outcome> outcome = position.outcome();
    if (outcome.isPresent()) {
      Termination termination = Termination.of(outcome.get());
      boolean mate = termination == Termination.CHECKMATE;
      return end(next, mate ? Result.winFor(side) : Result.DRAW, termination, now, moved);
    }
    return play.offersDraw()
        ? new Step(offered(next, side, now), List.of(moved, new DrawOffered(side)))
        : new Step(next, List.of(moved));
  }

  private static Step illegal(Playing game, Command.Play play, long now) {
    Side side = play.by();
    Conduct conduct = game.conduct(side).withIllegalMove();
    Playing next = game.withConduct(side, conduct);
    IllegalMove counted = new IllegalMove(side, play.move(), conduct.illegalMoves());
    return conduct.illegalMoves() < ILLEGAL_MOVES
        ? new Step(next, List.of(counted))
        : end(next, lossOrDraw(game, side), Termination.ILLEGALMOVES, now, counted);
  }

  private static Decision offer(Playing game, Side side, long now) {
    if (game.isAsked(side, Proposal.Kind.DRAW)) {
      return agreement(game, now);
    }
    if (game.movesOf(side) == 0) {
      return OFFER_TOO_EARLY;
    }
    Refused objection = objectionToOffer(game, side, game.proposal(), game.plies());
    return objection != null
        ? objection
        : new Step(offered(game, side, now), List.of(new DrawOffered(side)));
  }

  /**
   * Why a side that has moved may not offer a draw, or null if it may.
   *
   * @param standing what stands when it offers
   * @param ply the plies played when it offers
   */
  private static @Nullable Refused objectionToOffer(
      Playing game, Side side, @Nullable Proposal standing, int ply) {
    if (standing != null && standing.equals(new Proposal(Proposal.Kind.DRAW, side))) {
      return OWN_OFFER_STANDS;
    } else if (!game.conduct(side).mayOfferAt(ply, PLIES_BETWEEN_OFFERS)) {
      return OFFER_TOO_OFTEN;
    }
    return standing == null ? null : stands(standing);
  }

  private static Refused stands(Proposal proposal) {
    return proposal.kind() == Proposal.Kind.DRAW ? OFFER_STANDS : REQUEST_STANDS;
  }

  private static Playing offered(Playing game, Side side, long now) {
    return game.withConduct(side, game.conduct(side).withOfferAt(game.plies()))
        .withProposal(new Proposal(Proposal.Kind.DRAW, side), now);
  }

  private static Decision takeback(Playing game, Side side, long now) {
    Proposal standing = game.proposal();
    if (game.isAsked(side, Proposal.Kind.TAKEBACK)) {
      return takenBack(game, side.opponent(), now);
    } else if (standing != null) {
      boolean isOwn = standing.by() == side && standing.kind() == Proposal.Kind.TAKEBACK;
      return isOwn ? OWN_REQUEST_STANDS : stands(standing);
    } else if (game.movesOf(side) == 0) {
      return NOTHING_TO_TAKE_BACK;
    } else if (game.conduct(side).takebackAt() == game.plies()) {
      return REQUEST_TOO_OFTEN;
    }
    Playing next =
        game.withConduct(side, game.conduct(side).withTakebackAt(game.plies()))
            .withProposal(new Proposal(Proposal.Kind.TAKEBACK, side), now);
    return new Step(next, List.of(new TakebackAsked(side)));
  }

  private static Step takenBack(Playing game, Side asker, long now) {
    int plies = game.turn() == asker ? 2 : 1;
    return new Step(game.takenBack(plies, now), List.of(new TakenBack(asker, plies)));
  }

  private static Decision accept(Playing game, Side side, long now) {
    if (game.isAsked(side, Proposal.Kind.DRAW)) {
      return agreement(game, now);
    }
    return game.isAsked(side, Proposal.Kind.TAKEBACK)
        ? takenBack(game, side.opponent(), now)
        : NOTHING_TO_ACCEPT;
  }

  private static Decision decline(Playing game, Side side, long now) {
    boolean draw = game.isAsked(side, Proposal.Kind.DRAW);
    if (!draw && !game.isAsked(side, Proposal.Kind.TAKEBACK)) {
      return NOTHING_TO_DECLINE;
    }
    return new Step(
        game.withProposal(null, now),
        List.of(draw ? new DrawDeclined(side) : new TakebackDeclined(side)));
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

  private static Step agreement(Playing game, long now) {
    return end(game, Result.DRAW, Termination.AGREEMENT, now);
  }

  /** The end of a game, after what has led to it; no proposal outlives it. */
  private static Step end(
      Playing game, Result result, Termination termination, long now, GameEvent... before) {
    List<GameEvent> events = new ArrayList<>(List.of(before));
    events.add(new Ended(result, termination));
    Over over = new Over(game.withProposal(null, now), result, termination, now);
    return new Step(over, List.copyOf(events));
  }

  private static Result winOver(Side loser) {
    return Result.winFor(loser.opponent());
  }

  /** What the side gets that forfeits: a draw if its opponent could not have mated it anyway. */
  private static Result lossOrDraw(Playing game, Side side) {
    return game.position().canMate(side.opponent()) ? winOver(side) : Result.DRAW;
  }
}
