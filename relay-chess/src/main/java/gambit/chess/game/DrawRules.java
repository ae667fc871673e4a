package gambit.chess.game;

import gambit.chess.game.GameEvent.DrawOffered;
import gambit.chess.rules.Side;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules on draw offers, with a move or without, and on draw claims (FIDE 9.1–9.3). Immutable.
 */
record DrawRules(OngoingGame game, long now) {
  private static final int PLIES_BETWEEN_OFFERS = 20;

  private static final Refusal OFFER_TOO_EARLY =
      new Refusal("offer a draw only after a move of your own");
  private static final Refusal OFFER_STANDS =
      new Refusal("your draw offer stands already, nothing has changed");
  private static final Refusal OFFER_TOO_OFTEN = new Refusal("one draw offer in 20 plies");
  private static final Refusal TAKEBACK_REQUEST_STANDS = new Refusal("a takeback request stands");
  private static final Refusal NOTHING_TO_CLAIM = new Refusal("nothing to claim");

  /** Decides an offer without a move; it accepts the opponent's offer. */
  Ruling offer(Side side) {
    if (game.isAsked(side, ProposalType.DRAW)) {
      return agree();
    }
    if (game.movesOf(side) == 0) {
      return OFFER_TOO_EARLY;
    }
    Refusal objection = objectionToOffer(side, game.proposal(), game.plies());
    return objection != null
        ? objection
        : new Step(withOffer(game, side), List.of(new DrawOffered(side)));
  }

  /** The objection to an offer with the next move, or null if there is none. */
  @Nullable Refusal objectionToOfferWithMove(Side side) {
    return objectionToOffer(side, game.proposalBy(side), game.plies() + 1);
  }

  /**
   * The objection to an offer of a side that has moved, or null if there is none.
   *
   * @param open the proposal that is open when the offer is made
   * @param ply the number of plies played when the offer is made
   */
  private @Nullable Refusal objectionToOffer(Side side, @Nullable Proposal open, int ply) {
    if (open != null && open.equals(new Proposal(ProposalType.DRAW, side))) {
      return OFFER_STANDS;
    } else if (isTooSoon(game.history(side).offeredAt(), ply)) {
      return OFFER_TOO_OFTEN;
    }
    return open == null ? null : TAKEBACK_REQUEST_STANDS;
  }

  private static boolean isTooSoon(int lastOfferAt, int ply) {
    return lastOfferAt != SideHistory.NEVER && ply - lastOfferAt < PLIES_BETWEEN_OFFERS;
  }

  /** A game in which a side's offer is open from now on. */
  OngoingGame withOffer(OngoingGame before, Side side) {
    return before
        .withHistory(side, before.history(side).withOfferAt(before.plies()))
        .withProposal(new Proposal(ProposalType.DRAW, side), now);
  }

  /** Ends the game by the agreement of both sides. */
  Step agree() {
    return Endings.end(game, Result.DRAW, Termination.AGREEMENT, now);
  }

  /** Decides a claim. */
  Ruling claim(Side side) {
    if (side != game.turn()) {
      return Referee.NOT_YOUR_TURN;
    } else if (game.position().threefold()) {
      return Endings.end(game, Result.DRAW, Termination.THREEFOLD, now);
    } else if (game.position().fiftyMoves()) {
      return Endings.end(game, Result.DRAW, Termination.FIFTYMOVES, now);
    }
    return NOTHING_TO_CLAIM;
  }
}
