package gambit.chess.game;

import gambit.chess.rules.Position;
import java.util.Map;

/**
 * A game that was read from PGN. Immutable.
 *
 * @param tags names and values, in the order of the text
 * @param moves each with its clock in tenths of a second, or -1 if it has none
 */
public record PgnGame(
    Map<String, String> tags, Position initial, PlayedMoves moves, Position end, Result result) {}
