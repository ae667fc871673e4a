package gambit.app.tool.verify;

import gambit.app.tool.client.ChessKinds;
import gambit.chess.rules.LongAlgebraic;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Replays the signed moves of a game and checks their authenticity and legality. One thread. */
record MoveCheck(AuthenticityCheck authenticity, @Nullable JesterCheck jester) {

  /**
   * The valid moves of a game, the event of the last and the final position; how many do not have
   * the signed number of their ply; and the sides that have moved in the ephemeral dialect only.
   */
  record CheckedMoves(
      List<Move> moves, Optional<Event> last, Position end, int unnumbered, Set<Side> ephemeral) {}

  /** A move, and what proves it: its event, or that of the ephemeral dialect behind it. */
  private record SignedMove(Move move, Event proof) {}

  /** Checks all moves; empty if one is invalid, because the later ones cannot be checked then. */
  Optional<CheckedMoves> check(Event record) {
    List<String> ids = ChessProtocol.valuesOf(record, ChessProtocol.PLIES);
    List<Event> events = fetchedEvents(ids);
    Optional<CheckedMoves> played = play(events);
    return events.size() == ids.size() ? played : Optional.empty();
  }

  private Optional<CheckedMoves> play(List<Event> events) {
    List<Move> moves = new ArrayList<>();
    Optional<Event> last = Optional.empty();
    int unnumbered = 0;
    Set<Side> relayed = EnumSet.noneOf(Side.class);
    Set<Side> direct = EnumSet.noneOf(Side.class);
    Position position = authenticity.game.initial();
    for (Event event : events) {
      String what = "Move " + moveName(position);
      if (position.outcome().isPresent()) {
        return authenticity.findings.fault(
            what + ": the game was already over, by " + outcomeName(position));
      }
      Optional<SignedMove> signed = signedMove(what, event, position, moves);
      if (signed.isEmpty()
          || !authenticity.canFollowLastMove(position.turn().opponent(), what, signed.get().proof())
          || !authenticity.canFollowLastMove(position.turn(), what, signed.get().proof())) {
        return Optional.empty();
      }
      Optional<Position> next = position.play(signed.get().move());
      if (next.isEmpty()) {
        return authenticity.findings.fault(
            what + ": " + signed.get().move().uci() + " is not legal");
      }
      moves.add(signed.get().move());
      last = Optional.of(event);
      authenticity.addMove(position.turn(), signed.get().proof());
      (isByRelay(event) ? relayed : direct).add(position.turn());
      boolean isNumbered = jester != null || event.tags().first("ply").isPresent();
      unnumbered += isByRelay(event) || !isNumbered ? 1 : 0;
      position = next.get();
    }
    relayed.removeAll(direct);
    return Optional.of(new CheckedMoves(moves, last, position, unnumbered, relayed));
  }

  /** The fetched events before the first missing or repeated one; reports all of these. */
  private List<Event> fetchedEvents(List<String> ids) {
    Set<String> seen = new HashSet<>();
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      String what = "Ply " + (i + 1);
      Event event = authenticity.fetched.events().get(ids.get(i));
      if (!seen.add(ids.get(i))) {
        authenticity.findings.faults.add(what + ": the event " + ids.get(i) + " is used twice");
      } else if (event == null) {
        Side first = authenticity.game.initial().turn();
        PubKey player = authenticity.game.player(i % 2 == 0 ? first : first.opponent());
        authenticity.reportMissing(what, ids.get(i), List.of(player));
      } else if (events.size() == i) {
        events.add(event);
      }
    }
    return events;
  }

  private Optional<SignedMove> signedMove(
      String what, Event event, Position position, List<Move> played) {
    PubKey player = authenticity.game.player(position.turn());
    boolean isRelayed = isByRelay(event);
    boolean isAuthentic =
        isRelayed
            ? authenticity.isByRelay(what, event)
            : authenticity.isByPlayer(player, what, event);
    if (!isAuthentic || !authenticity.isUnused(what, event)) {
      return Optional.empty();
    } else if (jester != null) {
      return jester.move(what, event, position, played).map(move -> new SignedMove(move, event));
    }
    int ply = played.size() + 1;
    String number = event.tags().first("ply").orElse(isRelayed ? "" : "" + ply);
    Optional<Move> move =
        event.kind() == ChessKinds.MOVE ? Move.parse(event.content()) : Optional.empty();
    if (move.isEmpty()) {
      return authenticity.findings.fault(what, event, "is not a move");
    } else if (!number.equals("" + ply)) {
      return authenticity.findings.fault(what, event, "is not signed as ply " + ply);
    }
    return isRelayed
        ? proofOf(what, event, position, move.get()).map(proof -> new SignedMove(move.get(), proof))
        : Optional.of(new SignedMove(move.get(), event));
  }

  private boolean isByRelay(Event event) {
    return jester == null && event.pubkey().equals(authenticity.fetched.referee());
  }

  /** The player's event of the ephemeral dialect that proves a move signed by the relay. */
  private Optional<Event> proofOf(String what, Event event, Position position, Move move) {
    Optional<Event> proof =
        authenticity.checkedProof(
            authenticity.game.player(position.turn()),
            what,
            event.tags().first(ChessProtocol.PROOF).orElse(""));
    Optional<Move> written =
        proof.flatMap(it -> LongAlgebraic.parse(it.content())).flatMap(words -> words.in(position));
    boolean isSame = written.equals(Optional.of(move));
    if (proof.isPresent() && !isSame) {
      authenticity.findings.faults.add(
          what + ": the relay says " + move.uci() + ", the player " + proof.get().content());
    }
    return proof.filter(it -> isSame);
  }

  private static String moveName(Position position) {
    return position.fullmoveNumber()
        + (position.turn() == Side.WHITE ? ". (White)" : "... (Black)");
  }

  static String outcomeName(Position position) {
    return position
        .outcome()
        .map(outcome -> outcome.name().toLowerCase(Locale.ROOT).replace('_', ' '))
        .orElse("nothing");
  }
}
