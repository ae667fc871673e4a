package gambit.chess.dialect;

import gambit.chess.game.Result;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Sha256;
import gambit.core.wire.Reason;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an event of kind 30 says in the protocol of jesterui and Amethyst. Immutable. */
public sealed interface JesterMessage {
  int KIND = 30;

  static Optional<JesterMessage> read(Event event) {
    return JesterReader.read(event);
  }

  /** The {@code e} tag of an open start: the SHA-256 of the FEN of the initial position. */
  String START = "b1791d7fc9ae3d38966568c257ffb3a02cbf8394cdb4805bc70f64fc3c0b6879";

  /**
   * The start of a game, whose id is that of the event.
   *
   * @param hash stands for the challenged player in the form of jesterui, else null
   */
  record Start(Side author, @Nullable PubKey opponent, @Nullable String hash)
      implements JesterMessage {
    public boolean isChallenge() {
      return opponent != null || hash != null;
    }

    /** Whether a player may take the other seat. */
    public boolean isFor(PubKey player) {
      return opponent != null
          ? opponent.equals(player)
          : hash == null || hash.equals(hashOf(player));
    }

    /** The {@code e} tag of a challenge to a player in the form of jesterui. */
    public static String hashOf(PubKey player) {
      return sha256(sha256(player.hex()) + START);
    }

    private static String sha256(String text) {
      return HexFormat.of().formatHex(Sha256.of(text));
    }
  }

  /**
   * A move, an end, or both.
   *
   * @param head the event before this one
   * @param moves the moves of the history as far as they are legal
   * @param plies the length of the history
   * @param illegal the first illegal move of the history, or null
   * @param lastIsMove whether the last of the history is stated as the move, or none is
   */
  record Turn(
      EventId start,
      EventId head,
      List<Move> moves,
      int plies,
      @Nullable String illegal,
      boolean lastIsMove,
      @Nullable String fen,
      @Nullable Claim claim)
      implements JesterMessage {
    public Turn {
      moves = List.copyOf(moves);
    }

    /** Whether the stated position, if there is one, is this one. */
    public boolean isAt(Position position) {
      return fen == null || JesterReferee.isAt(fen, position);
    }
  }

  /** A stated end; the termination is missing if a client gives the result alone. */
  record Claim(String result, @Nullable String termination) {
    /** The termination; without one, a draw or the author's resignation, or an empty text. */
    public String meaning(Side author) {
      if (termination != null) {
        return termination;
      } else if (result.equals(Result.DRAW.text())) {
        return "draw_agreement";
      }
      return result.equals(Result.winFor(author.opponent()).text()) ? "resignation" : "";
    }
  }

  /**
   * An event that contradicts the protocol.
   *
   * @param start the game that it names, or null if it is a start itself
   */
  record Malformed(@Nullable EventId start, Reason fault) implements JesterMessage {}
}
