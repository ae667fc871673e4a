package gambit.chess.dialect;

import gambit.chess.game.Command;
import gambit.chess.rules.Move;
import gambit.chess.rules.Side;

/** What a player's event asks for, whatever the dialect: the complete list. */
public sealed interface Request {

  /** Looks for a game, or comes back to the one that runs. */
  record Connect() implements Request {}

  /** Looks for a game no longer. */
  record CancelSearch() implements Request {}

  /** Something about the game that runs. */
  sealed interface InGame extends Request {
    /** The referee's command for the side that asks. */
    Command by(Side side);
  }

  record Play(Move move) implements InGame {
    @Override
    public Command by(Side side) {
      return new Command.Play(side, move, false);
    }
  }

  record Offer() implements InGame {
    @Override
    public Command by(Side side) {
      return new Command.OfferDraw(side);
    }
  }

  record Accept() implements InGame {
    @Override
    public Command by(Side side) {
      return new Command.Accept(side);
    }
  }

  record Decline() implements InGame {
    @Override
    public Command by(Side side) {
      return new Command.Decline(side);
    }
  }

  record Claim() implements InGame {
    @Override
    public Command by(Side side) {
      return new Command.ClaimDraw(side);
    }
  }

  record Resign() implements InGame {
    @Override
    public Command by(Side side) {
      return new Command.Resign(side);
    }
  }

  record Abort() implements InGame {
    @Override
    public Command by(Side side) {
      return new Command.Abort(side);
    }
  }

  /** A word that this relay knows but does not act on. */
  record Unsupported(String word) implements Request {}
}
