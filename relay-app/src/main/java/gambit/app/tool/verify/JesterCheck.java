package gambit.app.tool.verify;

import gambit.app.tool.client.GameTerms;
import gambit.app.tool.verify.MoveCheck.CheckedMoves;
import gambit.chess.dialect.JesterMessage;
import gambit.chess.dialect.JesterMessage.Start;
import gambit.chess.dialect.JesterMessage.Turn;
import gambit.chess.game.Result;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks what the players' events of a game of kind 30 say: their clients know no referee, and sign
 * the whole history with each move. One thread.
 */
final class JesterCheck {
  private final GameTerms game;
  private final AuthenticityCheck authenticity;
  private final Findings findings;
  private final List<String> plies;
  private final List<String> ending;

  /** The number of moves after each event of a move, and after the start. */
  private final Map<String, Integer> pliesAfter = new HashMap<>();

  JesterCheck(AuthenticityCheck authenticity, Event record) {
    this.authenticity = authenticity;
    this.game = authenticity.game;
    this.findings = authenticity.findings;
    this.plies = ChessProtocol.valuesOf(record, ChessProtocol.PLIES);
    this.ending = ChessProtocol.valuesOf(record, ChessProtocol.ENDING);
    pliesAfter.put(game.id().hex(), 0);
    for (String id : plies) {
      pliesAfter.putIfAbsent(id, pliesAfter.size());
    }
  }

  /** The terms of a game that has a record; empty if its start gives the seats to others. */
  static Optional<GameTerms> terms(Start start, Event event, Event record, Findings findings) {
    Optional<GameTerms> game =
        GameTerms.of(record, event.id(), null, TimeControl.UNTIMED, Position.initial());
    Side author = start.author();
    if (game.isEmpty()) {
      return findings.fault("The record does not name two players");
    } else if (!event.pubkey().equals(game.get().player(author))) {
      return findings.fault("The author of the start does not play " + ChessProtocol.name(author));
    } else if (!start.isFor(game.get().player(author.opponent()))) {
      return findings.fault("The start is a challenge to another player");
    }
    return game;
  }

  /** The next move, in an event of the side in turn; empty with a finding if it is not valid. */
  Optional<Move> move(String what, Event event, Position position, List<Move> played) {
    Turn turn = turn(event).orElse(null);
    int ply = played.size();
    if (turn == null || turn.plies() == 0 || !turn.lastIsMove()) {
      return findings.fault(what, event, "is not a move");
    }
    int same = same(turn, played);
    if (same < ply || turn.plies() != ply + 1) {
      return findings.fault(what, event, "has another history at ply " + (same + 1));
    } else if (turn.moves().size() == ply) {
      return findings.fault(what + ": " + shown(turn.illegal()) + " is not legal");
    }
    Move move = turn.moves().get(ply);
    if (!turn.isAt(position.play(move).orElseThrow())) {
      return findings.fault(what, event, "states another position");
    } else if (!mayGoOn(turn, event)) {
      return findings.fault(what, event, "says that the game is over");
    }
    return isPlaced(what, event, turn, played, ply, ply) ? Optional.of(move) : Optional.empty();
  }

  /** What an event says about the end of a game with this result; empty if nothing true. */
  Optional<EndingCheck.Act> act(String what, Event event, CheckedMoves played, Result result) {
    Turn turn = turn(event).orElse(null);
    if (turn == null || turn.claim() == null || !turn.claim().result().equals(result.text())) {
      return Optional.empty();
    }
    Optional<EndingCheck.Act> act = act(turn, event);
    boolean isDraw = act.equals(Optional.of(EndingCheck.Act.DRAW));
    boolean isMove = isLast(event);
    int last = plies.size();
    // Others than a draw may follow an earlier move: the next one may have arrived before.
    boolean isPossible =
        isDraw
            ? turn.plies() == last && same(turn, played.moves()) == last && turn.isAt(played.end())
            : !(isMove && act.equals(Optional.of(EndingCheck.Act.LEAVE)));
    return act.filter(
        it ->
            isPossible
                && (isMove
                    || isPlaced(what, event, turn, played.moves(), isDraw ? last : 0, last)));
  }

  private Optional<Turn> turn(Event event) {
    return JesterMessage.read(event).orElse(null) instanceof Turn turn
            && turn.start().equals(game.id())
        ? Optional.of(turn)
        : Optional.empty();
  }

  private Optional<EndingCheck.Act> act(Turn turn, Event event) {
    Side author = event.pubkey().equals(game.white()) ? Side.WHITE : Side.BLACK;
    JesterMessage.Claim claim = Objects.requireNonNull(turn.claim());
    return switch (claim.meaning(author)) {
      case "resignation" ->
          claim.result().equals(Result.winFor(author.opponent()).text())
              ? Optional.of(EndingCheck.Act.RESIGN)
              : Optional.empty();
      case "draw_agreement" ->
          claim.result().equals(Result.DRAW.text())
              ? Optional.of(EndingCheck.Act.DRAW)
              : Optional.empty();
      case "abandonment" -> Optional.of(EndingCheck.Act.LEAVE);
      default -> Optional.empty();
    };
  }

  private boolean isLast(Event event) {
    return !plies.isEmpty() && plies.get(plies.size() - 1).equals(event.id().hex());
  }

  /** Whether a move claims no end before the last, and none of a player's that is not recorded. */
  private boolean mayGoOn(Turn turn, Event event) {
    if (turn.claim() == null) {
      return true;
    }
    Optional<EndingCheck.Act> act = act(turn, event);
    return act.equals(Optional.of(EndingCheck.Act.DRAW))
        || (isLast(event) && (act.isEmpty() || ending.contains(event.id().hex())));
  }

  /** The number of first moves of a history that were played. */
  private static int same(Turn turn, List<Move> played) {
    int same = 0;
    while (same < Math.min(turn.moves().size(), played.size())
        && turn.moves().get(same).equals(played.get(same))) {
      same++;
    }
    return same;
  }

  /** Whether an event may follow one of this game, after one of these numbers of moves. */
  private boolean isPlaced(
      String what, Event event, Turn turn, List<Move> played, int least, int most) {
    Optional<Integer> after = pliesAfter(what, turn.head().hex(), played);
    boolean isPlaced = after.map(it -> least <= it && it <= most).orElse(true);
    if (!isPlaced) {
      findings.fault(what, event, "does not follow the one before");
    }
    return isPlaced;
  }

  /**
   * The number of moves after an event: a move in the record, or what a player has written with the
   * same history, such as an offer or the move once more. -1 if it is not of this game; empty with
   * a finding if it is missing.
   */
  private Optional<Integer> pliesAfter(String what, String id, List<Move> played) {
    Integer known = pliesAfter.get(id);
    if (known != null) {
      return Optional.of(known);
    }
    Event event = authenticity.fetched.events().get(id);
    if (event == null) {
      authenticity.reportMissing(what, id, List.of(game.white(), game.black()));
      return Optional.empty();
    }
    PubKey author = game.sideOf(event.pubkey()) == null ? game.white() : event.pubkey();
    return turn(event)
        .filter(turn -> same(turn, played) == turn.plies())
        .filter(turn -> authenticity.isByPlayer(author, what, event))
        .map(Turn::plies)
        .or(() -> Optional.of(-1));
  }

  private static String shown(@Nullable String san) {
    String text = san == null ? "" : san;
    return text.substring(0, Math.min(text.length(), 12));
  }
}
