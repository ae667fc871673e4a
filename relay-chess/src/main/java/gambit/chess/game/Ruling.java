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
 * The decision on one command in a game that runs: the rows of the table in {@link Referee}, a
 * method for each command. Immutable; any thread.
 *
 * <p>A command that arrives at the deadline or later comes here only if it is {@code TimeUp}.
 */
final class Ruling implements Command.Visitor<Decision> {
  private static final int ILLEGAL_MOVES = 2;
  private static final int PLIES_BETWEEN_OFFERS = 20;

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

  private final Playing game;
  private final long now;

  /**
   * Decides commands that arrived at one moment.
   *
   * @param now epoch milliseconds
   */
  Ruling(Playing game, long now) {
    this.game = game;
    this.now = now;
  }

  @Override
  public Decision timeUp(Command.TimeUp command) {
    if (now < game.deadline()) {
      return TIME_LEFT;
    }
    return game.clock().running() == null
        ? aborted()
        : end(game, lossOrDraw(game, game.turn()), Termination.TIMEOUT);
  }

  @Override
  public Decision play(Command.Play play) {
    Side side = play.by();
    if (side != game.turn()) {
      return Referee.NOT_YOUR_TURN;
    }
    int ply = game.plies() + 1;
    Proposal own = game.proposalBy(side);
    Refused objection = play.offersDraw() ? objectionToOffer(side, own, ply) : null;
    if (objection != null) {
      return objection;
    }
    Optional<Position> played = play.playedIn(game.position());
    if (played.isEmpty()) {
      return illegal(play);
    }
    Position position = played.get();
    Playing next = game.afterMove(play.move(), position, now);
    Moved moved = new Moved(side, play.move());
    Optional<Outcome> outcome = position.outcome();
    if (outcome.isPresent()) {
      Termination termination = Termination.of(outcome.get());
      boolean mate = termination == Termination.CHECKMATE;
      return end(next, mate ? Result.winFor(side) : Result.DRAW, termination, moved);
    }
    return play.offersDraw()
        ? new Step(offered(next, side), List.of(moved, new DrawOffered(side)))
        : new Step(next, List.of(moved));
  }

  private Step illegal(Command.Play play) {
    Side side = play.by();
    Conduct conduct = game.conduct(side).withIllegalMove();
    Playing next = game.withConduct(side, conduct);
    IllegalMove counted = new IllegalMove(side, play.move(), conduct.illegalMoves());
    return conduct.illegalMoves() < ILLEGAL_MOVES
        ? new Step(next, List.of(counted))
        : end(next, lossOrDraw(game, side), Termination.ILLEGALMOVES, counted);
  }

  @Override
  public Decision offerDraw(Command.OfferDraw offer) {
    Side side = offer.by();
    if (game.isAsked(side, Proposal.Kind.DRAW)) {
      return agreement();
    }
    if (game.movesOf(side) == 0) {
      return OFFER_TOO_EARLY;
    }
    Refused objection = objectionToOffer(side, game.proposal(), game.plies());
    return objection != null
        ? objection
        : new Step(offered(game, side), List.of(new DrawOffered(side)));
  }

  /**
   * Why a side that has moved may not offer a draw, or null if it may.
   *
   * @param standing what stands when it offers
   * @param ply the plies played when it offers
   */
  private @Nullable Refused objectionToOffer(Side side, @Nullable Proposal standing, int ply) {
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

  private Playing offered(Playing before, Side side) {
    return before
        .withConduct(side, before.conduct(side).withOfferAt(before.plies()))
        .withProposal(new Proposal(Proposal.Kind.DRAW, side), now);
  }

  @Override
  public Decision takeback(Command.Takeback takeback) {
    Side side = takeback.by();
    Proposal standing = game.proposal();
    if (game.isAsked(side, Proposal.Kind.TAKEBACK)) {
      return takenBack(side.opponent());
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

  private Step takenBack(Side asker) {
    int plies = game.turn() == asker ? 2 : 1;
    return new Step(game.takenBack(plies, now), List.of(new TakenBack(asker, plies)));
  }

  @Override
  public Decision accept(Command.Accept accept) {
    Side side = accept.by();
    if (game.isAsked(side, Proposal.Kind.DRAW)) {
      return agreement();
    }
    return game.isAsked(side, Proposal.Kind.TAKEBACK)
        ? takenBack(side.opponent())
        : NOTHING_TO_ACCEPT;
  }

  @Override
  public Decision decline(Command.Decline decline) {
    Side side = decline.by();
    boolean draw = game.isAsked(side, Proposal.Kind.DRAW);
    if (!draw && !game.isAsked(side, Proposal.Kind.TAKEBACK)) {
      return NOTHING_TO_DECLINE;
    }
    return new Step(
        game.withProposal(null, now),
        List.of(draw ? new DrawDeclined(side) : new TakebackDeclined(side)));
  }

  @Override
  public Decision claimDraw(Command.ClaimDraw claim) {
    Side side = claim.by();
    if (side != game.turn()) {
      return Referee.NOT_YOUR_TURN;
    }
    if (game.position().threefold()) {
      return end(game, Result.DRAW, Termination.THREEFOLD);
    }
    if (game.position().fiftyMoves()) {
      return end(game, Result.DRAW, Termination.FIFTYMOVES);
    }
    return NOTHING_TO_CLAIM;
  }

  @Override
  public Decision abandon(Command.Abandon abandon) {
    Side side = abandon.by();
    return game.plies() < 2 ? aborted() : end(game, lossOrDraw(game, side), Termination.ABANDONED);
  }

  @Override
  public Decision resign(Command.Resign resign) {
    return end(game, winOver(resign.by()), Termination.RESIGNATION);
  }

  @Override
  public Decision abort(Command.Abort abort) {
    return game.movesOf(abort.by()) < 2 ? aborted() : TOO_LATE_TO_ABORT;
  }

  @Override
  public Decision cancel(Command.Cancel cancel) {
    return game.movesOf(cancel.by()) < 1 ? aborted() : TOO_LATE_TO_CANCEL;
  }

  private Step aborted() {
    return end(game, Result.NONE, Termination.ABORTED);
  }

  private Step agreement() {
    return end(game, Result.DRAW, Termination.AGREEMENT);
  }

  /** The end of a game, after what has led to it; no proposal outlives it. */
  private Step end(Playing last, Result result, Termination termination, GameEvent... before) {
    List<GameEvent> events = new ArrayList<>(List.of(before));
    events.add(new Ended(result, termination));
    Over over = new Over(last.withProposal(null, now), result, termination, now);
    return new Step(over, List.copyOf(events));
  }

  private static Result winOver(Side loser) {
    return Result.winFor(loser.opponent());
  }

  /** What the side gets that forfeits: a draw if its opponent could not have mated it anyway. */
  private static Result lossOrDraw(Playing last, Side side) {
    return last.position().canMate(side.opponent()) ? winOver(side) : Result.DRAW;
  }
}
