package gambit.chess.session.journal;

import gambit.chess.game.OngoingGame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of a running game that survives a restart. Each step replaces it when it is committed.
 * Immutable.
 *
 * @param plies the ids of the move events
 * @param proposal the proof of the open proposal ({@code Dialect.evidence}), or null
 */
public record GameSnapshot(OngoingGame game, MoveEventIds plies, @Nullable List<String> proposal) {}
