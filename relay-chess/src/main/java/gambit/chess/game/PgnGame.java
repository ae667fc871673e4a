package gambit.chess.game;

import gambit.chess.rules.Position;
import java.util.Map;

/**
 * A game as its record tells it.
 *
 * <p>Immutable.
 *
 * @param tags names and values, in the order of the record
 * @param moves each with its clock in whole seconds, or -1 if the game is untimed
 */
public record PgnGame(
    Map<String, String> tags, Position initial, PlayedMoves moves, Result result) {}
