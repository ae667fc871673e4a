package gambit.app.verify;

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

/** Plays a game's moves once more, as its players have signed them. One thread. */
final class Replay {
  private final Evidence evidence;
  private final Announcement announcement;
  private final Authenticity authenticity;
  private final Timeline timeline;
  private final Findings findings;

  Replay(
      Evidence evidence,
      Announcement announcement,
      Authenticity authenticity,
      Timeline timeline,
      Findings findings) {
    this.evidence = evidence;
    this.announcement = announcement;
    this.authenticity = authenticity;
    this.timeline = timeline;
    this.findings = findings;
  }

  /**
   * The moves that hold.
   *
   * @param last the event of the last one, if there is one
   * @param end where they lead
   * @param unnumbered how many of them were not signed as a certain ply
   * @param ephemeral the sides that have moved, and only in the ephemeral dialect
   */
  record Played(
      List<Move> moves, Optional<Event> last, Position end, int unnumbered, Set<Side> ephemeral) {}

  /**
   * A move, and the event of its player that proves it: the event itself, or what the relay has
   * translated.
   */
  private record Signed(Move move, Event proof) {}

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
    Set<Side> relayed = EnumSet.noneOf(Side.class);
    Set<Side> direct = EnumSet.noneOf(Side.class);
    Position position = announcement.initial();
    for (Event event : events) {
      String what = "Move " + name(position);
      if (position.outcome().isPresent()) {
        findings.wrong(what + ": the game was over before, by " + words(position));
        return Optional.empty();
      }
      Optional<Signed> signed = signed(what, event, position, moves.size() + 1);
      if (signed.isEmpty()
          || !authenticity.follows(position.turn().opponent(), what, signed.get().proof())
          || !authenticity.follows(position.turn(), what, signed.get().proof())) {
        return Optional.empty();
      }
      Optional<Position> next = position.play(signed.get().move());
      if (next.isEmpty()) {
        findings.wrong(what + ": " + signed.get().move().uci() + " is not legal");
        return Optional.empty();
      }
      moves.add(signed.get().move());
      last = Optional.of(event);
      timeline.moved(position.turn(), signed.get().proof());
      (isByRelay(event) ? relayed : direct).add(position.turn());
      unnumbered += isByRelay(event) || event.tags().first("ply").isEmpty() ? 1 : 0;
      position = next.get();
    }
    relayed.removeAll(direct);
    return Optional.of(new Played(moves, last, position, unnumbered, relayed));
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
  private Optional<Signed> signed(String what, Event event, Position position, int ply) {
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
    return relayed
        ? proof(what, event, position, move.get()).map(proof -> new Signed(move.get(), proof))
        : Optional.of(new Signed(move.get(), event));
  }

  private boolean isByRelay(Event event) {
    return event.pubkey().equals(announcement.relay());
  }

  private static boolean isOther(Optional<String> number, int ply) {
    return number.isPresent() && !number.get().equals("" + ply);
  }

  /** The player's own event of the other dialect for a move in the relay's words. */
  private Optional<Event> proof(String what, Event event, Position position, Move move) {
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
    return proof.filter(it -> same);
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
