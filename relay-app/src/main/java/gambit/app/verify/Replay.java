package gambit.app.verify;

import gambit.chess.rules.LongAlgebraic;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Plays a game's moves once more, as its players have signed them. One thread. */
final class Replay {
  private final Evidence evidence;
  private final Announcement announcement;
  private final Authenticity authenticity;
  private final Findings findings;

  Replay(
      Evidence evidence, Announcement announcement, Authenticity authenticity, Findings findings) {
    this.evidence = evidence;
    this.announcement = announcement;
    this.authenticity = authenticity;
    this.findings = findings;
  }

  /**
   * The moves that hold.
   *
   * @param last the event of the last one, if there is one
   * @param end where they lead
   * @param unnumbered how many of them were not signed as a certain ply
   */
  record Played(List<Move> moves, Optional<Event> last, Position end, int unnumbered) {}

  /** All of them, or nothing when one does not hold: then what comes after cannot be judged. */
  Optional<Played> of(Event record) {
    List<String> ids = Protocol.listed(record, Protocol.PLIES);
    List<Event> events = served(ids);
    return events.size() == ids.size() ? play(events) : Optional.empty();
  }

  private Optional<Played> play(List<Event> events) {
    List<Move> moves = new ArrayList<>();
    Optional<Event> last = Optional.empty();
    int unnumbered = 0;
    Position position = announcement.initial();
    for (Event event : events) {
      String what = "Move " + name(position);
      if (position.outcome().isPresent()) {
        findings.wrong(what + ": the game was over before, by " + words(position));
        return Optional.empty();
      }
      Optional<Move> move = signed(what, event, position, moves.size() + 1);
      Optional<Position> next = move.flatMap(position::play);
      if (next.isEmpty()) {
        move.ifPresent(it -> findings.wrong(what + ": " + it.uci() + " is not legal"));
        return Optional.empty();
      }
      moves.add(move.get());
      last = Optional.of(event);
      unnumbered += isByRelay(event) || event.tags().first("ply").isEmpty() ? 1 : 0;
      position = next.get();
    }
    return Optional.of(new Played(moves, last, position, unnumbered));
  }

  /** Those of the events that are there, each once. */
  private List<Event> served(List<String> ids) {
    Set<String> seen = new HashSet<>();
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      String what = "Ply " + (i + 1) + ": the event " + ids.get(i);
      Event event = evidence.events().get(ids.get(i));
      if (!seen.add(ids.get(i))) {
        findings.wrong(what + " is used twice");
      } else if (event == null) {
        findings.wrong(what + " is missing (its author may have deleted it): nothing proves it");
      } else {
        events.add(event);
      }
    }
    return events;
  }

  /** What the side in turn has signed, as a move. */
  private Optional<Move> signed(String what, Event event, Position position, int ply) {
    PubKey player = announcement.player(position.turn());
    boolean relayed = isByRelay(event);
    boolean holds =
        relayed ? authenticity.isRelays(what, event) : authenticity.isPlayers(player, what, event);
    if (!holds || !authenticity.isUnused(what, event)) {
      return Optional.empty();
    }
    Optional<String> number = event.tags().first("ply");
    Optional<Move> move =
        event.kind() == Protocol.MOVE ? Move.parse(event.content()) : Optional.empty();
    if (move.isEmpty()) {
      findings.wrong(what + ": the event " + event.id() + " is no move");
      return Optional.empty();
    } else if (relayed ? !number.equals(Optional.of("" + ply)) : isOther(number, ply)) {
      findings.wrong(what + ": the event " + event.id() + " is not signed as ply " + ply);
      return Optional.empty();
    }
    return relayed && !isProved(what, event, position, move.get()) ? Optional.empty() : move;
  }

  private boolean isByRelay(Event event) {
    return event.pubkey().equals(announcement.relay());
  }

  private static boolean isOther(Optional<String> number, int ply) {
    return number.isPresent() && !number.get().equals("" + ply);
  }

  /** A move in the relay's words, of a player of the other dialect, with the player's own words. */
  private boolean isProved(String what, Event event, Position position, Move move) {
    Optional<Event> proof =
        authenticity.proof(
            announcement.player(position.turn()),
            what,
            event.tags().first(Protocol.PROOF).orElse(""));
    Optional<Move> written =
        proof.flatMap(it -> LongAlgebraic.parse(it.content())).flatMap(words -> words.in(position));
    boolean same = written.equals(Optional.of(move));
    if (proof.isPresent() && !same) {
      findings.wrong(
          what + ": the relay says " + move.uci() + ", the player " + proof.get().content());
    }
    return same;
  }

  private static String name(Position position) {
    return position.fullmoveNumber()
        + (position.turn() == Side.WHITE ? ". (White)" : "... (Black)");
  }

  /** How a position ends a game, in words. */
  static String words(Position position) {
    return position
        .outcome()
        .map(outcome -> outcome.name().toLowerCase(Locale.ROOT).replace('_', ' '))
        .orElse("nothing");
  }
}
