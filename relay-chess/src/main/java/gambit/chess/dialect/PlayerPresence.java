package gambit.chess.dialect;

import gambit.core.model.PubKey;
import java.util.List;

/** Whether a player is here (kind 20308). Immutable. */
public record PlayerPresence(PubKey player, Status status) {
  /** The best that is true of a player. */
  public enum Status {
    /** In a running live game, connected or not. */
    PLAYING("playing"),
    /** A connection is bound to the player. */
    ONLINE("online"),
    OFFLINE("offline");

    private final String word;

    Status(String word) {
      this.word = word;
    }
  }

  List<List<String>> tags() {
    return List.of(
        List.of("d", player.hex()), List.of("p", player.hex()), List.of("status", status.word));
  }
}
