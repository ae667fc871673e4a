package gambit.app.tool.verify;

import gambit.app.tool.client.ChessKinds;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import java.util.List;
import java.util.Set;

/** Contents and tags of the events of a finished game. */
final class ChessProtocol {
  static final int EPHEMERAL = 20303;

  /** A record's tag with the ids of the events of the moves, in order. */
  static final String PLIES = "plies";

  /** A record's tag with the ids of the players' events that ended the game. */
  static final String ENDING = "ending";

  /** A tag with the JSON of a player's event that is not stored. */
  static final String PROOF = "proof";

  /** Tags of jobs (NIP-90), which use the kinds of NIP-100: an event with one is not chess. */
  private static final Set<String> JOB_TAGS =
      Set.of("i", "param", "output", "bid", "relays", "encrypted", "j");

  private ChessProtocol() {}

  static boolean isJob(Event event) {
    return event.kind() >= ChessKinds.LOBBY
        && event.kind() <= ChessKinds.RESIGNATION
        && event.tags().list().stream().anyMatch(tag -> JOB_TAGS.contains(tag.get(0)));
  }

  static boolean repeats(Event event, String name) {
    return event.tags().named(name).limit(2).count() > 1;
  }

  static String name(Side side) {
    return side == Side.WHITE ? "White" : "Black";
  }

  static List<String> valuesOf(Event event, String name) {
    return event.tags().named(name).flatMap(tag -> tag.stream().skip(1)).toList();
  }
}
