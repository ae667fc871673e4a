package gambit.chess.dialect;

import gambit.chess.dialect.JesterMessage.Claim;
import gambit.chess.dialect.JesterMessage.Turn;
import gambit.chess.game.Command;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.Game;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Proposal;
import gambit.chess.game.Referee;
import gambit.chess.game.Result;
import gambit.chess.game.Ruling;
import gambit.chess.game.Termination;
import gambit.chess.rules.LegalMove;
import gambit.chess.rules.Move;
import gambit.chess.rules.PieceKind;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.EventId;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides messages of a game of kind 30 whose head is the game's last move. The moves and the ends
 * by the rules of chess are the {@link Referee}'s. Pure; times are epoch milliseconds.
 */
public record JesterReferee(OngoingGame game, Side side, Turn turn, long now) {
  /** The time for a move after which who waits may claim the game. */
  public static final Duration ABANDONED_AFTER = Duration.ofHours(24);

  public static final Reason NOT_YOUR_TURN = Reason.invalid(Referee.NOT_YOUR_TURN.text());
  private static final Reason OTHER_MOVE = Reason.invalid("move is not the last of history");
  private static final Reason DRAW = Reason.invalid("a draw has the result 1/2-1/2");

  /** A decision: one of these, or one that its caller adds. */
  public interface Verdict {}

  public record Refused(Reason reason) implements Verdict {}

  /**
   * The game goes on, or ends.
   *
   * @param hasMoved whether the message has a new move
   */
  public record Accepted(Game next, boolean hasMoved) implements Verdict {}

  /**
   * Decides an end of a side that it has stated before the last move: a draw that was offered then
   * has lapsed.
   */
  public static Verdict decideEarlier(OngoingGame game, Side side, Claim claim, long now) {
    List<Move> played = game.moves().toList();
    EventId none = new EventId(new byte[32]);
    Turn turn = new Turn(none, none, played, played.size(), null, true, null, claim);
    JesterReferee referee = new JesterReferee(game, side, turn, now);
    boolean isDraw =
        claim.meaning(side).equals("draw_agreement") && claim.result().equals(Result.DRAW.text());
    return isDraw ? new Accepted(game, false) : referee.decide();
  }

  public Verdict decide() {
    boolean hasMove = turn.plies() > game.plies();
    if (hasMove && game.turn() != side) {
      return new Refused(NOT_YOUR_TURN);
    }
    Reason objection = objectionToHistory();
    if (objection != null) {
      return new Refused(objection);
    }
    Game next = game;
    Position position = game.position();
    if (hasMove) {
      Move move = turn.moves().get(game.plies());
      LegalMove legal = LegalMove.of(position, move).orElseThrow();
      position = legal.after();
      next = ((Ruling.Step) Referee.decide(game, new Command.Play(side, legal, false), now)).next();
      if (next instanceof OngoingGame playing && playing.proposal() != null) {
        next = playing.withProposal(null, now); // also the mover's own
      }
    }
    if (!turn.isAt(position)) {
      return new Refused(Reason.invalid("fen is not the position after this move"));
    }
    Claim claim = turn.claim();
    return claim == null ? new Accepted(next, hasMove) : decide(claim, next, hasMove);
  }

  /** Why the history is not the game's moves, or these and a legal one; null if it is. */
  private @Nullable Reason objectionToHistory() {
    List<Move> played = game.moves().toList();
    List<Move> moves = turn.moves();
    int expected = played.size() + (turn.claim() != null && turn.plies() == played.size() ? 0 : 1);
    for (int ply = 0; ply < played.size(); ply++) {
      if (ply >= moves.size() || !moves.get(ply).equals(played.get(ply))) {
        return differs(ply);
      }
    }
    if (turn.plies() != expected) {
      return differs(Math.min(turn.plies(), expected));
    } else if (moves.size() < expected) {
      return Reason.invalid(
          "illegal move " + shown(turn.illegal()) + " after " + played.size() + " plies");
    }
    return expected > played.size() && !turn.lastIsMove() ? OTHER_MOVE : null;
  }

  private static Reason differs(int ply) {
    return Reason.invalid("the history differs at ply " + (ply + 1));
  }

  /** A move in a reason: printable ASCII, and short. */
  private static String shown(@Nullable String san) {
    String text = san == null ? "" : san.replaceAll("[^!-~]", "?");
    return text.length() <= 12 ? text : text.substring(0, 12) + "...";
  }

  private Verdict decide(Claim claim, Game next, boolean hasMove) {
    if (next instanceof FinishedGame over) {
      boolean isMate = "checkmate".equals(claim.termination());
      boolean isFalse = isMate != (over.termination() == Termination.CHECKMATE);
      return claim.result().equals(over.result().text())
              && !(isFalse && (isMate || "resignation".equals(claim.termination())))
          ? new Accepted(over, hasMove)
          : new Refused(over(over.result().text(), over.termination().word()));
    }
    OngoingGame playing = (OngoingGame) next;
    Result lost = Result.winFor(side.opponent());
    return switch (claim.meaning(side)) {
      case "checkmate" -> new Refused(Reason.invalid("no checkmate"));
      case "stalemate" -> new Refused(Reason.invalid("no stalemate"));
      case "timeout" -> new Refused(Reason.invalid("there are no clocks in this game"));
      case "resignation" ->
          claim.result().equals(lost.text())
              ? ended(playing, lost, Termination.RESIGNATION, hasMove)
              : new Refused(
                  Reason.invalid("resignation gives the win to the other player: " + lost.text()));
      case "draw_agreement" ->
          claim.result().equals(Result.DRAW.text()) ? draw(playing, hasMove) : new Refused(DRAW);
      case "abandonment" -> abandoned(claim, playing, hasMove);
      default -> new Refused(Reason.invalid("unknown termination"));
    };
  }

  /** The first is an offer; the other side's ends the game. */
  private Verdict draw(OngoingGame playing, boolean hasMove) {
    if (playing.isAsked(side, Proposal.Type.DRAW)) {
      return ended(playing, Result.DRAW, Termination.AGREEMENT, hasMove);
    }
    Proposal offer = new Proposal(Proposal.Type.DRAW, side);
    return new Accepted(
        offer.equals(playing.proposal()) ? playing : playing.withProposal(offer, now), hasMove);
  }

  private Verdict abandoned(Claim claim, OngoingGame playing, boolean hasMove) {
    long waited = now - playing.clock().turnSince();
    if (hasMove || playing.turn() == side || waited < ABANDONED_AFTER.toMillis()) {
      return new Refused(Reason.invalid("the opponent has 24 hours for a move"));
    }
    Result result = playing.position().canMate(side) ? Result.winFor(side) : Result.DRAW;
    return claim.result().equals(result.text())
        ? ended(playing, result, Termination.ABANDONED, false)
        : new Refused(Reason.invalid("the result of this abandonment is " + result.text()));
  }

  private Verdict ended(OngoingGame last, Result result, Termination termination, boolean moved) {
    OngoingGame end = last.proposal() == null ? last : last.withProposal(null, now);
    return new Accepted(new FinishedGame(end, result, termination, now), moved);
  }

  /** The refusal of a message about a game that is over in this way. */
  public static Reason over(String result, String termination) {
    return Reason.invalid("this game is over: " + result + ", " + termination);
  }

  /**
   * Whether a FEN is that of a position by its first four fields; the square of an en passant
   * capture may be missing where none is legal.
   */
  static boolean isAt(String fen, Position position) {
    String[] stated = fen.split(" ", 5);
    String[] fields = position.fen().split(" ", 5);
    for (int i = 0; i < 3; i++) {
      if (stated.length < 4 || !stated[i].equals(fields[i])) {
        return false;
      }
    }
    return stated[3].equals(fields[3])
        || (stated[3].equals("-")
            && position.origins(
                    PieceKind.PAWN, Move.square(fields[3].charAt(0), fields[3].charAt(1)))
                == 0);
  }
}
