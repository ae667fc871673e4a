package gambit.chess.game;

import gambit.chess.game.GameEvent.TakebackAsked;
import gambit.chess.game.GameEvent.TakenBack;
import gambit.chess.rules.Side;
import java.util.List;

/** The rules on takebacks. Immutable. */
record TakebackRules(OngoingGame game, long now) {
  private static final Refusal DRAW_OFFER_STANDS = new Refusal("a draw offer stands");
  private static final Refusal REQUEST_STANDS =
      new Refusal("your takeback request stands already, nothing has changed");
  private static final Refusal NOTHING_TO_TAKE_BACK = new Refusal("nothing to take back");
  private static final Refusal REQUEST_TOO_OFTEN =
      new Refusal("one takeback request between two moves");

  /** Decides a request; it accepts the opponent's request. */
  Ruling request(Side side) {
    Proposal own = new Proposal(ProposalType.TAKEBACK, side);
    if (game.isAsked(side, ProposalType.TAKEBACK)) {
      return takeBack(side.opponent());
    } else if (game.proposal() != null) {
      return own.equals(game.proposal()) ? REQUEST_STANDS : DRAW_OFFER_STANDS;
    } else if (game.movesOf(side) == 0) {
      return NOTHING_TO_TAKE_BACK;
    } else if (game.history(side).takebackAt() == game.plies()) {
      return REQUEST_TOO_OFTEN;
    }
    OngoingGame next =
        game.withHistory(side, game.history(side).withTakebackAt(game.plies()))
            .withProposal(own, now);
    return new Step(next, List.of(new TakebackAsked(side)));
  }

  /** Takes back the last move of the side that has asked for it, and the opponent's answer. */
  Step takeBack(Side asker) {
    int plies = game.turn() == asker ? 2 : 1;
    return new Step(game.takenBack(plies, now), List.of(new TakenBack(asker, plies)));
  }
}
