package gambit.chess.dialect;

import gambit.chess.game.Command;
import gambit.chess.game.Playing;
import gambit.chess.game.Proposal;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.chess.rules.WrittenMove;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a player's event asks for, whatever the dialect: the complete list. */
public sealed interface Request {

  /** Handles this request. */
  <R> R accept(RequestVisitor<R> visitor);

  /** Whether a game that ends by it ends since a player searches no longer. */
  default boolean leavesSearch() {
    return false;
  }

  /**
   * Looks for a game, or comes back to the one that runs.
   *
   * @param time null for the relay's default
   */
  record Connect(@Nullable TimeControl time) implements Request {
    @Override
    public <R> R accept(RequestVisitor<R> visitor) {
      return visitor.connect(this);
    }
  }

  /** Looks for a game no longer. */
  record CancelSearch() implements Request {
    @Override
    public <R> R accept(RequestVisitor<R> visitor) {
      return visitor.cancelSearch(this);
    }

    @Override
    public boolean leavesSearch() {
      return true;
    }
  }

  /**
   * Invites one player, or whoever comes.
   *
   * @param opponent who is invited; null when anybody is
   * @param inviter the side that the inviter wants; null when it is drawn by lot
   * @param time null for the relay's default
   */
  record Invite(
      @Nullable PubKey opponent,
      @Nullable Side inviter,
      @Nullable TimeControl time,
      Position initial,
      InviteExpiration expiration)
      implements Request {
    @Override
    public <R> R accept(RequestVisitor<R> visitor) {
      return visitor.invite(this);
    }
  }

  /**
   * Accepts an invite.
   *
   * @param invite its id or, if it is a rematch, the game's
   */
  record AcceptInvite(EventId invite) implements Request {
    @Override
    public <R> R accept(RequestVisitor<R> visitor) {
      return visitor.acceptInvite(this);
    }
  }

  /**
   * Rejects an invite, or withdraws one's own.
   *
   * @param invite its id or, if it is a rematch, the game's
   */
  record RejectInvite(EventId invite) implements Request {
    @Override
    public <R> R accept(RequestVisitor<R> visitor) {
      return visitor.rejectInvite(this);
    }
  }

  /**
   * Invites the opponent of the last game, or accepts such an invite.
   *
   * @param game the last game
   * @param opponent the key that must be the opponent's, in hex
   */
  record Rematch(EventId game, Optional<String> opponent, InviteExpiration expiration)
      implements Request {
    @Override
    public <R> R accept(RequestVisitor<R> visitor) {
      return visitor.rematch(this);
    }
  }

  /**
   * A request with a tag that cannot be understood.
   *
   * @param fault names the tag, for the player
   */
  record MalformedTag(Reason fault) implements Request {
    @Override
    public <R> R accept(RequestVisitor<R> visitor) {
      return visitor.malformedTag(this);
    }
  }

  /** Something about the game that runs. */
  sealed interface InGame extends Request {
    /** The referee's command for the side that asks; a move must be one in the position. */
    Command by(Side side, Playing game);

    @Override
    default <R> R accept(RequestVisitor<R> visitor) {
      return visitor.inGame(this);
    }
  }

  /** A move, maybe with a draw offer. */
  record Play(WrittenMove written, boolean offersDraw) implements InGame {
    @Override
    public Command by(Side side, Playing game) {
      return new Command.Play(side, written.in(game.position()).orElseThrow(), offersDraw);
    }
  }

  record Offer() implements InGame {
    @Override
    public Command by(Side side, Playing game) {
      return new Command.OfferDraw(side);
    }
  }

  record Accept() implements InGame {
    @Override
    public Command by(Side side, Playing game) {
      return new Command.Accept(side);
    }
  }

  record Decline() implements InGame {
    @Override
    public Command by(Side side, Playing game) {
      return new Command.Decline(side);
    }
  }

  record Claim() implements InGame {
    @Override
    public Command by(Side side, Playing game) {
      return new Command.ClaimDraw(side);
    }
  }

  /** A draw in whatever way there is: accepted, else claimed, else offered. */
  record Draw() implements InGame {
    @Override
    public Command by(Side side, Playing game) {
      boolean claimable =
          side == game.turn() && (game.position().threefold() || game.position().fiftyMoves());
      if (claimable && !game.isAsked(side, Proposal.Kind.DRAW)) {
        return new Command.ClaimDraw(side);
      }
      return new Command.OfferDraw(side); // which accepts
    }
  }

  record Takeback() implements InGame {
    @Override
    public Command by(Side side, Playing game) {
      return new Command.Takeback(side);
    }
  }

  record Resign() implements InGame {
    @Override
    public Command by(Side side, Playing game) {
      return new Command.Resign(side);
    }
  }

  /** Leaves: the queue, a game just found, or another game by resigning. */
  record Quit() implements InGame {
    @Override
    public <R> R accept(RequestVisitor<R> visitor) {
      return visitor.quit(this);
    }

    @Override
    public boolean leavesSearch() {
      return true;
    }

    @Override
    public Command by(Side side, Playing game) {
      return new Command.Resign(side);
    }
  }

  record Abort() implements InGame {
    @Override
    public Command by(Side side, Playing game) {
      return new Command.Abort(side);
    }
  }
}
