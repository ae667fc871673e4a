package gambit.chess.dialect;

import gambit.chess.game.Command;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Proposal;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.chess.rules.WrittenMove;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.wire.Reason;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The request of a player's event: the complete list for all dialects. */
public sealed interface Request {

  /** Whether it ends the player's search, or the game that the search has just led to. */
  default boolean endsSearch() {
    return false;
  }

  /** The time control that the {@code time} tag of an event names, or null if there is none. */
  static @Nullable TimeControl time(Tags tags) throws MalformedTagException {
    Optional<String> text = tags.first("time");
    if (text.isEmpty()) {
      return null;
    }
    return TimeControl.parse(text.get())
        .orElseThrow(
            () -> new MalformedTagException("not a time control like 300, 300+3, 1/600 or -"));
  }

  /** To search for an opponent, or to resume the running game; by default with the relay's time. */
  record Connect(@Nullable TimeControl time, boolean isRated) implements Request {
    public static Connect of(Tags tags) throws MalformedTagException {
      return new Connect(Request.time(tags), RatedStart.isRequested(tags));
    }
  }

  record CancelSearch() implements Request {
    @Override
    public boolean endsSearch() {
      return true;
    }
  }

  /**
   * To invite one player, or anybody.
   *
   * @param opponent the invited player, or null if anybody may accept
   * @param inviter the side of the inviter, or null if it is drawn by lot
   * @param time null for the relay's default
   * @param level the strength that a program is asked to play with, or 0
   * @param isUnlisted whether an open invite is left out of the lobby
   */
  record Invite(
      @Nullable PubKey opponent,
      @Nullable Side inviter,
      @Nullable TimeControl time,
      Position initial,
      int level,
      boolean isRated,
      InviteTerms.Expiration expiration,
      boolean isUnlisted,
      @Nullable SecretHash secretHash)
      implements Request {}

  /**
   * To accept an invite, by its id or, for a rematch, the game's; the secret is not checked yet.
   */
  record AcceptInvite(EventId invite, Optional<String> secret) implements Request {}

  /** To reject an invite, or to withdraw the player's own, named as in {@link AcceptInvite}. */
  record RejectInvite(EventId invite) implements Request {}

  /**
   * To invite the opponent of the last game, or to accept such an invite.
   *
   * @param game the last game, or null for whichever it is
   * @param opponent the key that the opponent must have, in hex
   */
  record Rematch(
      @Nullable EventId game, Optional<String> opponent, InviteTerms.Expiration expiration)
      implements Request {}

  /** To remind a player of nothing any more; the token is the one in a reminder. */
  record StopReminders(String token) implements Request {}

  /** A request with a malformed tag, which the fault names for the player. */
  record MalformedTag(Reason fault) implements Request {}

  /** No request: an event without an effect, and the reason for its author. */
  sealed interface None extends Request {
    Reason fault();
  }

  /** A mistyped request. It is refused with a hint, whoever has sent it. */
  record Mistyped(Reason fault) implements None {}

  record Malformed(Reason fault) implements None {}

  sealed interface InGame extends Request {
    /** The referee's command of a side; the move of a {@link Play} must exist in the position. */
    Command by(Side side, OngoingGame game);
  }

  record Play(WrittenMove written, boolean offersDraw) implements InGame {
    @Override
    public Command by(Side side, OngoingGame game) {
      return new Command.Play(side, written.in(game.position()).orElseThrow(), offersDraw);
    }
  }

  record Plain(Command.Type type) implements InGame {
    @Override
    public Command by(Side side, OngoingGame game) {
      return new Command.Plain(type, side);
    }
  }

  /** To accept the opponent's draw offer, else to claim a draw, else to offer one. */
  record Draw() implements InGame {
    @Override
    public Command by(Side side, OngoingGame game) {
      boolean claimable =
          side == game.turn() && (game.position().threefold() || game.position().fiftyMoves());
      if (claimable && !game.isAsked(side, Proposal.Type.DRAW)) {
        return new Command.Plain(Command.Type.CLAIM_DRAW, side);
      }
      return new Command.Plain(Command.Type.OFFER_DRAW, side); // accepts the opponent's offer
    }
  }

  /** To end the search or the game that it has just led to, else to resign. */
  record Quit() implements InGame {
    @Override
    public boolean endsSearch() {
      return true;
    }

    @Override
    public Command by(Side side, OngoingGame game) {
      return new Command.Plain(Command.Type.RESIGN, side);
    }
  }

  /** A tag of a player's event is malformed; the message is for the player. */
  final class MalformedTagException extends Exception {
    public MalformedTagException(String message) {
      super(message);
    }

    public Reason reason() {
      return Reason.invalid(String.valueOf(getMessage()));
    }
  }
}
