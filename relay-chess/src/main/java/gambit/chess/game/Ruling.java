package gambit.chess.game;

import java.util.List;

public sealed interface Ruling {
  /** A transition to the next game, with at least one event. */
  record Step(Game next, List<GameEvent> events) implements Ruling {}

  /**
   * The refusal of a command, which changes nothing.
   *
   * @param text the reason, for the player, as it follows {@code invalid: } in an OK
   */
  record Refusal(String text) implements Ruling {}
}
