package gambit.app.verify;

import gambit.chess.rules.Side;
import gambit.core.model.Event;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the chess protocol calls things, as far as a finished game is made of them. */
final class Protocol {
  static final int RECORD = 64;
  static final int LOBBY = 5000;
  static final int MOVE = 5001;
  static final int DRAW = 5002;
  static final int RESIGN = 5003;

  /** A move or a word in the ephemeral dialect. */
  static final int EPHEMERAL = 20303;

  /** The content of the event that begins a game. */
  static final String FOUND = "gameisfound";

  /** A record's tag: the events of the moves, in order. */
  static final String PLIES = "plies";

  /** A record's tag: the players' events by which the game ended. */
  static final String ENDING = "ending";

  /** A tag with a player's whole event, where that is not stored. */
  static final String PROOF = "proof";

  /** A tag with the URL of the relay for which an event is meant. */
  static final String RELAY = "relay";

  /** Tags of jobs (NIP-90), which use the kinds of NIP-100: an event with one is not chess. */
  private static final Set<String> JOB_TAGS =
      Set.of("i", "param", "output", "bid", "relays", "encrypted", "j");

  private Protocol() {}

  /** Whether an event is a job (NIP-90), although its kind is one of NIP-100. */
  static boolean isJob(Event event) {
    return event.kind() >= LOBBY
        && event.kind() <= RESIGN
        && event.tags().list().stream().anyMatch(tag -> JOB_TAGS.contains(tag.get(0)));
  }

  /** Whether an event has more than one tag of a name. */
  static boolean repeats(Event event, String name) {
    return event.tags().named(name).limit(2).count() > 1;
  }

  /** A side's mark in a p tag. */
  static String colour(Side side) {
    return side == Side.WHITE ? "white" : "black";
  }

  /** A side in the program's own lines. */
  static String name(Side side) {
    return side == Side.WHITE ? "White" : "Black";
  }

  /** What an event lists under the tags of a name, in order. */
  static List<String> listed(Event event, String name) {
    return event.tags().named(name).flatMap(tag -> tag.stream().skip(1)).toList();
  }

  /** The game that an event names: the e tag marked root, else the first one without a mark. */
  static Optional<String> namedGame(Event event) {
    List<List<String>> tags = event.tags().named("e").filter(tag -> tag.size() > 1).toList();
    return tags.stream()
        .filter(tag -> mark(tag).equals("root"))
        .findFirst()
        .or(() -> tags.stream().filter(tag -> mark(tag).isEmpty()).findFirst())
        .map(tag -> tag.get(1));
  }

  private static String mark(List<String> tag) {
    return tag.size() > 3 ? tag.get(3) : "";
  }
}
