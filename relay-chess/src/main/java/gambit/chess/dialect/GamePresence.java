package gambit.chess.dialect;

import gambit.chess.rules.Side;
import java.util.ArrayList;
import java.util.List;

/**
 * Who is at a running game (kind 20306). Times are epoch milliseconds. Immutable.
 *
 * @param whiteAwaySince the time since which White has no connection, or {@link #PRESENT}
 * @param blackAwaySince as for White
 * @param watching the number of connections that follow the game, other than the players'
 * @param resumedAt the time at which the clocks were resumed after a restart of the relay; 0 if
 *     there was none, or if the game is untimed
 */
public record GamePresence(
    GameRef game, long whiteAwaySince, long blackAwaySince, int watching, long resumedAt) {
  /** The player has a bound connection. */
  public static final long PRESENT = -1;

  public List<List<String>> tags() {
    List<List<String>> tags = new ArrayList<>(7);
    tags.add(List.of("d", game.id().hex()));
    tags.add(List.of("p", game.white().player().hex()));
    tags.add(List.of("p", game.black().player().hex()));
    tags.add(tag(Side.WHITE, whiteAwaySince));
    tags.add(tag(Side.BLACK, blackAwaySince));
    tags.add(List.of("watching", "" + watching));
    if (resumedAt != 0) {
      tags.add(List.of("resumed", "" + resumedAt));
    }
    return tags;
  }

  private static List<String> tag(Side side, long awaySince) {
    String colour = RefereeEvents.colour(side);
    return awaySince == PRESENT
        ? List.of(colour, "present")
        : List.of(colour, "away", "" + awaySince / 1000);
  }
}
