package gambit.chess.game;

import java.util.List;

/**
 * A command that changed the game.
 *
 * @param next the game from now on
 * @param events what happened, in order, immutable and never empty
 */
public record Step(Game next, List<GameEvent> events) implements Decision {}
