package gambit.chess.game;

import java.util.List;

/**
 * A transition of a game.
 *
 * @param next the game after it
 * @param events its events in order; immutable, never empty
 */
public record Step(Game next, List<GameEvent> events) implements Ruling {}
