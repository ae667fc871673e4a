package gambit.chess.game;

import gambit.chess.game.GameEvent.DrawDeclined;
import gambit.chess.game.GameEvent.TakebackDeclined;
import gambit.chess.rules.Side;
import java.util.List;

/**
 * The rows of the table in {@link Referee} for a game in progress, with a method for each command
 * that needs more than a line. Immutable.
 *
 * <p>Of the commands that arrive at the deadline or later, only {@code TimeUp} is decided here.
 */
record RefereeRules(OngoingGame game, long now) {
  private static final Refusal TIME_LEFT = new Refusal("there is time left");
  private static final Refusal NOTHING_TO_ACCEPT = new Refusal("nothing to accept");
  private static final Refusal NOTHING_TO_DECLINE = new Refusal("nothing to decline");
  private static final Refusal TOO_LATE_TO_ABORT = new Refusal("too late to abort");
  private static final Refusal TOO_LATE_TO_CANCEL = new Refusal("too late to cancel");

  Ruling decide(Command command) {
    if (command instanceof Command.Play play) {
      return new MoveRules(game, now).play(play);
    } else if (command instanceof Command.OfferDraw offer) {
      return new DrawRules(game, now).offer(offer.by());
    } else if (command instanceof Command.ClaimDraw claim) {
      return new DrawRules(game, now).claim(claim.by());
    } else if (command instanceof Command.Takeback takeback) {
      return new TakebackRules(game, now).request(takeback.by());
    } else if (command instanceof Command.Accept accept) {
      return accept(accept.by());
    } else if (command instanceof Command.Decline decline) {
      return decline(decline.by());
    } else if (command instanceof Command.Resign resign) {
      return Endings.end(game, Result.winFor(resign.by().opponent()), Termination.RESIGNATION, now);
    } else if (command instanceof Command.Abort abort) {
      return game.movesOf(abort.by()) < 2 ? Endings.abort(game, now) : TOO_LATE_TO_ABORT;
    } else if (command instanceof Command.Cancel cancel) {
      return game.movesOf(cancel.by()) < 1 ? Endings.abort(game, now) : TOO_LATE_TO_CANCEL;
    } else if (command instanceof Command.Abandon abandon) {
      return abandon(abandon.by());
    } else if (command instanceof Command.TimeUp) {
      return timeUp();
    }
    throw new IllegalArgumentException("no rule for " + command);
  }

  private Ruling timeUp() {
    if (now < game.deadline()) {
      return TIME_LEFT;
    }
    return game.clock().running() == null
        ? Endings.abort(game, now)
        : Endings.forfeit(game, game.turn(), Termination.TIMEOUT, now);
  }

  private Ruling accept(Side side) {
    if (game.isAsked(side, ProposalType.DRAW)) {
      return new DrawRules(game, now).agree();
    } else if (game.isAsked(side, ProposalType.TAKEBACK)) {
      return new TakebackRules(game, now).takeBack(side.opponent());
    }
    return NOTHING_TO_ACCEPT;
  }

  private Ruling decline(Side side) {
    OngoingGame next = game.withProposal(null, now);
    if (game.isAsked(side, ProposalType.DRAW)) {
      return new Step(next, List.of(new DrawDeclined(side)));
    } else if (game.isAsked(side, ProposalType.TAKEBACK)) {
      return new Step(next, List.of(new TakebackDeclined(side)));
    }
    return NOTHING_TO_DECLINE;
  }

  private Ruling abandon(Side side) {
    return game.plies() < 2
        ? Endings.abort(game, now)
        : Endings.forfeit(game, side, Termination.ABANDONED, now);
  }
}
