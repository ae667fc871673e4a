package gambit.chess.game;

import java.util.List;

public sealed interface Ruling {
  /**
   * A transition of a game.
   *
   * @param next the game after it
   * @param events its events in order; immutable, never empty
   */
  record Step(Game next, List<GameEvent> events) implements Ruling {}

  /**
   * The refusal of a command, which changes nothing.
   *
   * @param text the reason, for the player, as it follows {@code invalid: } in an OK
   */
  record Refusal(String text) implements Ruling {}
}
