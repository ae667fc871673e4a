package gambit.chess.game;

/**
 * A method for each kind of {@link Command}.
 *
 * @param <R> the result
 */
public interface CommandVisitor<R> {
  R play(Command.Play command);

  R offerDraw(Command.OfferDraw command);

  R takeback(Command.Takeback command);

  R accept(Command.Accept command);

  R decline(Command.Decline command);

  R claimDraw(Command.ClaimDraw command);

  R resign(Command.Resign command);

  R abort(Command.Abort command);

  R cancel(Command.Cancel command);

  R abandon(Command.Abandon command);

  R timeUp(Command.TimeUp command);
}
