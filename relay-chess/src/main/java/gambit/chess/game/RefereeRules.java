package gambit.chess.game;

import gambit.chess.game.GameEvent.DrawDeclined;
import gambit.chess.game.GameEvent.TakebackDeclined;
import gambit.chess.rules.Side;
import java.util.List;

/**
 * The rows of the table in {@link Referee} for a game in progress, a method for each command.
 * Immutable.
 *
 * <p>Of the commands that arrive at the deadline or later, only {@code TimeUp} is decided here.
 */
record RefereeRules(OngoingGame game, long now) implements CommandVisitor<Decision> {
  private static final Refusal TIME_LEFT = new Refusal("there is time left");
  private static final Refusal NOTHING_TO_ACCEPT = new Refusal("nothing to accept");
  private static final Refusal NOTHING_TO_DECLINE = new Refusal("nothing to decline");
  private static final Refusal TOO_LATE_TO_ABORT = new Refusal("too late to abort");
  private static final Refusal TOO_LATE_TO_CANCEL = new Refusal("too late to cancel");

  @Override
  public Decision timeUp(Command.TimeUp command) {
    if (now < game.deadline()) {
      return TIME_LEFT;
    }
    return game.clock().running() == null
        ? Endings.abort(game, now)
        : Endings.forfeit(game, game.turn(), Termination.TIMEOUT, now);
  }

  @Override
  public Decision play(Command.Play play) {
    return new MoveRules(game, now).play(play);
  }

  @Override
  public Decision offerDraw(Command.OfferDraw offer) {
    return new DrawRules(game, now).offer(offer.by());
  }

  @Override
  public Decision claimDraw(Command.ClaimDraw claim) {
    return new DrawRules(game, now).claim(claim.by());
  }

  @Override
  public Decision takeback(Command.Takeback takeback) {
    return new TakebackRules(game, now).request(takeback.by());
  }

  @Override
  public Decision accept(Command.Accept accept) {
    Side side = accept.by();
    if (game.isAsked(side, ProposalType.DRAW)) {
      return new DrawRules(game, now).agree();
    } else if (game.isAsked(side, ProposalType.TAKEBACK)) {
      return new TakebackRules(game, now).takeBack(side.opponent());
    }
    return NOTHING_TO_ACCEPT;
  }

  @Override
  public Decision decline(Command.Decline decline) {
    Side side = decline.by();
    OngoingGame next = game.withProposal(null, now);
    if (game.isAsked(side, ProposalType.DRAW)) {
      return new Step(next, List.of(new DrawDeclined(side)));
    } else if (game.isAsked(side, ProposalType.TAKEBACK)) {
      return new Step(next, List.of(new TakebackDeclined(side)));
    }
    return NOTHING_TO_DECLINE;
  }

  @Override
  public Decision resign(Command.Resign resign) {
    Result result = Result.winFor(resign.by().opponent());
    return Endings.end(game, result, Termination.RESIGNATION, now);
  }

  @Override
  public Decision abort(Command.Abort abort) {
    return game.movesOf(abort.by()) < 2 ? Endings.abort(game, now) : TOO_LATE_TO_ABORT;
  }

  @Override
  public Decision cancel(Command.Cancel cancel) {
    return game.movesOf(cancel.by()) < 1 ? Endings.abort(game, now) : TOO_LATE_TO_CANCEL;
  }

  @Override
  public Decision abandon(Command.Abandon abandon) {
    return game.plies() < 2
        ? Endings.abort(game, now)
        : Endings.forfeit(game, abandon.by(), Termination.ABANDONED, now);
  }
}
