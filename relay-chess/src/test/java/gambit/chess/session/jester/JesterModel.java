package gambit.chess.session.jester;

import gambit.chess.rules.Move;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A game of kind 30 as the page of the protocol has it: a list of moves, and what is stored. */
final class JesterModel {
  private static final List<String> STATED = List.of("resignation", "draw_agreement");

  /**
   * An event of the game.
   *
   * @param isSound whether its other fields are those that belong to its history
   */
  record Written(
      Event event,
      String head,
      List<String> history,
      boolean isSound,
      @Nullable String result,
      @Nullable String termination) {
    String id() {
      return event.id().hex();
    }

    PubKey author() {
      return event.pubkey();
    }
  }

  private enum Verdict {
    WAITS,
    REFUSED,
    ACCEPTED
  }

  private final String start;
  private final Map<Side, PubKey> seats;
  private final Map<String, Written> stored = new LinkedHashMap<>();
  private final List<Written> moves = new ArrayList<>();
  private @Nullable Written offer;
  private String end = "";

  JesterModel(String start, Map<Side, PubKey> seats) {
    this.start = start;
    this.seats = seats;
  }

  boolean isOver() {
    return !end.isEmpty();
  }

  /** The accepted moves in SAN. */
  List<String> history() {
    return moves.isEmpty() ? List.of() : moves.get(moves.size() - 1).history();
  }

  Position position() {
    return reached(history()).orElseThrow();
  }

  /** The events that may be the head of the next one. */
  List<String> heads() {
    List<String> heads = new ArrayList<>();
    if (moves.isEmpty()) {
      heads.add(start);
    }
    stored.values().stream()
        .filter(it -> it.history().size() == moves.size() && plyAfter(it.id()) == moves.size())
        .forEach(it -> heads.add(it.id()));
    return heads;
  }

  /** What a fork names: an event before the last move. */
  String earlierHead(int ply) {
    return ply == 0 ? start : moves.get(ply - 1).id();
  }

  /** Takes an event, and returns whether the relay stores it. */
  boolean take(Written event) {
    if (stored.containsKey(event.id())) {
      return true;
    } else if (isOver() && !repeatsLast(event)) {
      return false;
    }
    Verdict verdict = isOver() ? Verdict.WAITS : judge(event);
    if (verdict != Verdict.REFUSED) {
      stored.put(event.id(), event);
    }
    judgeStored();
    return verdict != Verdict.REFUSED;
  }

  /** Judges what is stored, until nothing changes any more. */
  private void judgeStored() {
    String before;
    do {
      before = shown();
      stored.values().stream()
          .sorted(Comparator.comparing(it -> it.event().createdAt()))
          .filter(it -> !isOver())
          .forEach(this::judge);
    } while (!shown().equals(before));
  }

  private Verdict judge(Written event) {
    int ply = plyAfter(event.head());
    if (ply < 0) {
      return Verdict.WAITS;
    } else if (!seats.containsValue(event.author())) {
      return Verdict.REFUSED;
    }
    Side side = seats.get(Side.WHITE).equals(event.author()) ? Side.WHITE : Side.BLACK;
    boolean hasMove = event.history().size() > ply;
    if (ply < moves.size()) {
      boolean isHarmless = hasMove ? repeats(event, ply) : event.termination() != null;
      return isHarmless ? judgeEnd(event, side, true) : Verdict.REFUSED;
    } else if (!event.isSound() || !event.history().subList(0, ply).equals(history())) {
      return Verdict.REFUSED;
    } else if (!hasMove) {
      return event.termination() == null ? Verdict.REFUSED : judgeEnd(event, side, false);
    }
    Optional<Position> reached = reached(event.history());
    if (side != turn() || event.history().size() != ply + 1 || reached.isEmpty()) {
      return Verdict.REFUSED;
    }
    Optional<Outcome> outcome = reached.get().outcome();
    if (outcome.isEmpty() && event.termination() != null && !STATED.contains(event.termination())) {
      return Verdict.REFUSED;
    }
    moves.add(event);
    offer = null;
    outcome.ifPresent(it -> end = natural(it, side));
    return isOver() ? Verdict.ACCEPTED : judgeEnd(event, side, false);
  }

  /** Judges a stated end, if there is one. */
  private Verdict judgeEnd(Written event, Side side, boolean isLate) {
    if (event.termination() == null) {
      return Verdict.ACCEPTED;
    }
    switch (event.termination()) {
      case "resignation" -> {
        if (!event.result().equals(side == Side.WHITE ? "0-1" : "1-0")) {
          return Verdict.REFUSED;
        }
        end = event.result() + " resignation " + colour(event);
      }
      case "draw_agreement" -> {
        if (isLate) {
          return Verdict.ACCEPTED;
        } else if (offer == null) {
          offer = event;
        } else if (!offer.author().equals(event.author())) {
          end = "1/2-1/2 agreement black white";
        }
      }
      default -> {
        return Verdict.REFUSED;
      }
    }
    return Verdict.ACCEPTED;
  }

  /** The plies after an event whose history is that of the game; -1 if it is no such one. */
  private int plyAfter(String head) {
    if (head.equals(start)) {
      return 0;
    }
    Written known = stored.get(head);
    boolean isOfGame =
        known != null
            && seats.containsValue(known.author())
            && known.history().size() <= moves.size()
            && known.history().equals(history().subList(0, known.history().size()));
    return isOfGame ? known.history().size() : -1;
  }

  /** Whether an event has the move of its author at that ply once more. */
  private boolean repeats(Written event, int ply) {
    return ply >= 0
        && event.isSound()
        && event.history().equals(history().subList(0, ply + 1))
        && event.author().equals(moves.get(ply).author());
  }

  /** Whether an event is the last move once more, with the same end. */
  private boolean repeatsLast(Written event) {
    int last = moves.size() - 1;
    return repeats(event, last)
        && Objects.equals(event.termination(), moves.get(last).termination())
        && Objects.equals(event.result(), moves.get(last).result());
  }

  Side turn() {
    return moves.size() % 2 == 0 ? Side.WHITE : Side.BLACK;
  }

  private static String natural(Outcome outcome, Side mover) {
    return outcome == Outcome.CHECKMATE
        ? (mover == Side.WHITE ? "1-0" : "0-1") + " checkmate "
        : "1/2-1/2 " + outcome.name().toLowerCase(Locale.ROOT).replace("_", "") + " ";
  }

  /** The position after moves in SAN; empty if one is illegal. */
  static Optional<Position> reached(List<String> history) {
    Position position = Position.initial();
    for (String san : history) {
      Position before = position;
      Optional<Move> move =
          before.legalMoves().stream().filter(it -> before.san(it).equals(san)).findFirst();
      if (move.isEmpty() || before.outcome().isPresent()) {
        return Optional.empty();
      }
      position = before.play(move.get()).orElseThrow();
    }
    return Optional.of(position);
  }

  /** What the relay shows of the game: nothing, the state, or the record. */
  String shown() {
    if (isOver()) {
      return end + " " + history();
    }
    long players = moves.stream().map(Written::author).distinct().count();
    boolean hasBegun = players == 2 || (players == 1 && !moves.get(0).author().equals(starter()));
    return hasBegun
        ? moves.size() + " " + position().fen() + (offer == null ? "" : " draw " + colour(offer))
        : "";
  }

  private PubKey starter() {
    return seats.get(Side.WHITE);
  }

  String colour(Written event) {
    return event.author().equals(seats.get(Side.WHITE)) ? "white" : "black";
  }
}
