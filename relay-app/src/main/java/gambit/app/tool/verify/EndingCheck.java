package gambit.app.tool.verify;

import gambit.app.tool.client.ChessKinds;
import gambit.app.tool.client.GameTerms;
import gambit.app.tool.client.ReceivedMessage;
import gambit.app.tool.verify.MoveCheck.CheckedMoves;
import gambit.app.tool.verify.RecordCheck.RecordedEnd;
import gambit.chess.game.PgnGame;
import gambit.chess.game.Result;
import gambit.chess.game.Termination;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a game ended as its record says: by the position, by the players' signed events, or,
 * for time and conduct, as the relay attests. One thread.
 */
final class EndingCheck {

  enum Act {
    RESIGN,
    OFFER,
    ACCEPT,
    CLAIM,
    /** In the ephemeral dialect: accepts an offer, else claims a draw, else offers one. */
    DRAW,
    /** In kind 30: says that the opponent has left, and claims the game. */
    LEAVE
  }

  private static final String ENDING = "The ending";

  private record SignedAct(Side side, Act act) {}

  /** Terminations that follow from the final position. */
  private static final Set<Termination> BY_POSITION =
      Arrays.stream(Outcome.values()).map(Termination::of).collect(Collectors.toSet());

  private final AuthenticityCheck authenticity;
  private final GameTerms game;
  private final Findings findings;
  private final @Nullable JesterCheck jester;
  private final Set<SignedAct> signedActs = new HashSet<>();
  private boolean isActMissing; // so that the acts of the others do not suffice

  EndingCheck(AuthenticityCheck authenticity, @Nullable JesterCheck jester) {
    this.authenticity = authenticity;
    this.game = authenticity.game;
    this.findings = authenticity.findings;
    this.jester = jester;
  }

  void check(Event record, CheckedMoves played, Optional<PgnGame> pgn, RecordedEnd recorded) {
    Result result = recorded.result();
    Termination termination = recorded.termination();
    for (String id : ChessProtocol.valuesOf(record, ChessProtocol.ENDING)) {
      checkStoredEvent(id, played, result);
    }
    record.tags().values(ChessProtocol.PROOF).forEach(this::checkProof);
    Position end = played.end();
    Optional<Termination> byPosition = end.outcome().map(Termination::of);
    if (byPosition.isPresent() && byPosition.get() != termination) {
      findings.faults.add(
          "The moves end the game by "
              + MoveCheck.outcomeName(end)
              + ", not by "
              + termination.word());
      return;
    } else if (byPosition.isEmpty() && BY_POSITION.contains(termination)) {
      findings.faults.add("The moves do not end the game by " + termination.word());
      return;
    } else if (!isPossible(termination, played.moves().size())) {
      findings.faults.add(
          "After so few plies, or with this time control, a game cannot end by "
              + termination.word());
      return;
    }
    boolean isConsistent =
        switch (termination) {
          case CHECKMATE -> endsByPosition(end, result, Result.winFor(end.turn().opponent()));
          case STALEMATE, DEADPOSITION, FIVEFOLD, SEVENTYFIVEMOVES ->
              endsByPosition(end, result, Result.DRAW);
          case THREEFOLD -> endsByClaim(end, result, end.threefold(), "threefold repetition");
          case FIFTYMOVES -> endsByClaim(end, result, end.fiftyMoves(), "the fifty-move rule");
          case AGREEMENT -> endsByAgreement(result, played);
          case RESIGNATION -> endsByResignation(result);
          case TIMEOUT -> endsByTimeout(played, pgn, result);
          case ILLEGALMOVES -> endsByIllegalMoves(played, result);
          case ABANDONED -> endsByAbandonment(end, result);
          case ABORTED -> false;
        };
    if (!isConsistent) {
      findings.faults.add(
          "The result " + result.text() + " contradicts the termination " + termination.word());
    }
  }

  private void checkStoredEvent(String id, CheckedMoves played, Result result) {
    Event event = authenticity.fetched.events().get(id);
    if (event == null) {
      authenticity.reportMissing(ENDING, id, List.of(game.white(), game.black()));
      isActMissing = true;
      return;
    }
    Optional<Act> act =
        jester == null ? actOf(event, played.last()) : jester.act(ENDING, event, played, result);
    boolean isLast = jester != null && played.last().equals(Optional.of(event));
    boolean isMove = event.kind() == ChessKinds.MOVE || isLast;
    if (act.isEmpty()) {
      findings.fault(ENDING, event, "does not end a game");
    } else if (authenticity.isByPlayer(author(event), ENDING, event)
        && (isMove || authenticity.isUnused(ENDING, event))) {
      addAct(event, act.get());
    }
  }

  private void checkProof(String json) {
    Optional<PubKey> author = ReceivedMessage.parseEvent(json).map(this::author);
    Optional<Event> proof = authenticity.checkedProof(author.orElse(game.white()), ENDING, json);
    proof.ifPresent(
        event -> {
          switch (event.content()) {
            case "resign", "quit" -> addAct(event, Act.RESIGN);
            case "draw" -> addAct(event, Act.DRAW);
            default -> findings.fault(ENDING, event, "does not end a game");
          }
        });
  }

  /**
   * Adds a player's act if it can have arrived after the last moves. An offer remains valid after a
   * later move of its author, until the opponent moves.
   */
  private void addAct(Event event, Act act) {
    Side side = event.pubkey().equals(game.white()) ? Side.WHITE : Side.BLACK;
    boolean mayPrecedeOwnMove = act == Act.OFFER || act == Act.DRAW;
    if (authenticity.canFollowLastMove(side.opponent(), ENDING, event)
        && (mayPrecedeOwnMove || authenticity.canFollowLastMove(side, ENDING, event))) {
      signedActs.add(new SignedAct(side, act));
    }
  }

  /** The player who must have signed an event: its author, or White if neither player is. */
  private PubKey author(Event event) {
    PubKey black = game.black();
    return event.pubkey().equals(black) ? black : game.white();
  }

  private static Optional<Act> actOf(Event event, Optional<Event> last) {
    String content = event.content();
    if (event.kind() == ChessKinds.RESIGNATION && content.equals("resign")) {
      return Optional.of(Act.RESIGN);
    } else if (event.kind() == ChessKinds.PROPOSAL) {
      return switch (content) {
        case "offer" -> Optional.of(Act.OFFER);
        case "accept" -> Optional.of(Act.ACCEPT);
        case "claim" -> Optional.of(Act.CLAIM);
        default -> Optional.empty();
      };
    }
    boolean isOfferWithLastMove =
        last.equals(Optional.of(event)) && event.tags().first("draw").equals(Optional.of("offer"));
    return isOfferWithLastMove ? Optional.of(Act.OFFER) : Optional.empty();
  }

  private boolean endsByPosition(Position end, Result result, Result expected) {
    findings.proved.add("The moves end the game by " + MoveCheck.outcomeName(end) + ".");
    return result == expected;
  }

  private boolean endsByClaim(Position end, Result result, boolean isClaimable, String rule) {
    String side = ChessProtocol.name(end.turn());
    if (!isClaimable) {
      findings.faults.add("The moves do not allow a draw claim by " + rule);
    } else if (!hasSigned(end.turn(), Act.CLAIM, Act.DRAW)) {
      unsigned(side + " claims the draw");
    } else {
      findings.proved.add(side + " claimed a draw by " + rule + ", and the moves allow it.");
    }
    return result == Result.DRAW;
  }

  /** A player who has moved may offer a draw; the opponent may accept it before moving. */
  private boolean endsByAgreement(Result result, CheckedMoves played) {
    boolean isOffered =
        Arrays.stream(Side.values())
            .anyMatch(side -> hasMoved(side, played) && hasSigned(side, Act.OFFER, Act.DRAW));
    boolean isAgreed = true;
    for (Side side : Side.values()) {
      if (!hasSigned(side, Act.OFFER, Act.ACCEPT, Act.DRAW)) {
        unsigned(ChessProtocol.name(side) + " agrees to a draw");
        isAgreed = false;
      }
    }
    if (isAgreed && isOffered) {
      findings.proved.add("Both players agreed to a draw.");
    } else if (isAgreed) {
      unsigned("a player who had moved offers a draw");
    }
    return result == Result.DRAW;
  }

  /** A fault unless the event may be the one that is missing. */
  private void unsigned(String act) {
    if (!isActMissing) {
      findings.faults.add("No event signed by " + act);
    }
  }

  private boolean hasMoved(Side side, CheckedMoves played) {
    return played.moves().size() > (side == game.initial().turn() ? 0 : 1);
  }

  private boolean endsByResignation(Result result) {
    Optional<Side> winner = winner(result);
    winner.ifPresent(
        side -> {
          String loser = ChessProtocol.name(side.opponent());
          if (hasSigned(side.opponent(), Act.RESIGN)) {
            findings.proved.add(loser + " resigned.");
          } else {
            unsigned(loser + " resigns");
          }
        });
    return winner.isPresent();
  }

  /** The side in turn loses, unless the opponent cannot mate (FIDE 6.9, 7.5.5). */
  private boolean forfeit(Position end, Result result, String how) {
    Side loser = end.turn();
    findings.attested.add("That " + ChessProtocol.name(loser) + " " + how + ".");
    boolean canMate = end.canMate(loser.opponent());
    return result == (canMate ? Result.winFor(loser.opponent()) : Result.DRAW);
  }

  /** A timeout requires that the remaining time has passed since the opponent's last move. */
  private boolean endsByTimeout(CheckedMoves played, Optional<PgnGame> pgn, Result result) {
    Side loser = played.end().turn();
    long earliest = authenticity.earliestLastMove(loser.opponent());
    long end = authenticity.fetched.records().get(0).createdAt();
    Optional<Long> left = secondsLeft(played, pgn).filter(it -> end < earliest + it);
    left.ifPresent(
        seconds ->
            findings.faults.add(
                "%s had %d s, and the record was signed %d s after the opponent's last move"
                    .formatted(ChessProtocol.name(loser), seconds, end - earliest)));
    return forfeit(played.end(), result, "ran out of time");
  }

  /** The remaining seconds of the side in turn; empty if the record does not have its clock. */
  private Optional<Long> secondsLeft(CheckedMoves played, Optional<PgnGame> pgn) {
    TimeControl time = game.time();
    int ply = played.moves().size() - 2;
    if (time.isPerMove() || ply < 0) {
      return Optional.of(time.baseMillis() / 1000);
    }
    return pgn.map(text -> text.moves().clocks())
        .filter(clocks -> ply < clocks.length && clocks[ply] >= 0)
        .map(clocks -> clocks[ply] / 10L);
  }

  /** Only players of NIP-100 lose by illegal moves. */
  private boolean endsByIllegalMoves(CheckedMoves played, Result result) {
    Side loser = played.end().turn();
    if (played.ephemeral().contains(loser)) {
      findings.faults.add(
          "In the dialect of "
              + ChessProtocol.name(loser)
              + ", illegal moves lose no game (NIP-100)");
    }
    return forfeit(played.end(), result, "played two illegal moves");
  }

  /**
   * Whether a game can end so after that many plies. Clocks start after the first move of each
   * side, in correspondence at once. In slow games no player loses by absence, in other games only
   * after the first move of each side; before that, an absence aborts the game.
   */
  private boolean isPossible(Termination termination, int plies) {
    TimeControl time = game.time();
    return switch (termination) {
      case TIMEOUT -> !time.isUntimed() && (time.isCorrespondence() || plies >= 2);
      case ABANDONED -> jester == null ? !time.isSlow() && plies >= 2 : plies >= 1;
      case ILLEGALMOVES -> jester == null;
      case AGREEMENT -> plies >= 1;
      default -> true;
    };
  }

  private boolean endsByAbandonment(Position end, Result result) {
    if (jester != null) {
      Side waiting = end.turn().opponent();
      if (!hasSigned(waiting, Act.LEAVE)) {
        unsigned(ChessProtocol.name(waiting) + " claims the game");
      }
      return forfeit(end, result, "did not move for 24 hours");
    }
    Optional<Side> winner = winner(result);
    findings.attested.add(
        "That "
            + winner.map(side -> ChessProtocol.name(side.opponent())).orElse("one of the players")
            + " left the game.");
    return winner.isPresent()
        ? end.canMate(winner.get())
        : result == Result.DRAW && !(end.canMate(Side.WHITE) && end.canMate(Side.BLACK));
  }

  private boolean hasSigned(Side side, Act... acts) {
    return Arrays.stream(acts).anyMatch(act -> signedActs.contains(new SignedAct(side, act)));
  }

  private static Optional<Side> winner(Result result) {
    return switch (result) {
      case WHITE_WINS -> Optional.of(Side.WHITE);
      case BLACK_WINS -> Optional.of(Side.BLACK);
      case DRAW, NONE -> Optional.empty();
    };
  }
}
