package gambit.chess.session.journal;

import gambit.chess.game.Playing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All of a running game that has to survive: what a step replaces as a whole, once it is stored.
 * Immutable.
 *
 * @param plies the events of the moves
 * @param proposal what proves the proposal that stands ({@code Dialect.evidence}); else null
 */
public record GameSnapshot(Playing game, PlyEvents plies, @Nullable List<String> proposal) {}
