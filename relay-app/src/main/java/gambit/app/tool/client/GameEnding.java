package gambit.app.tool.client;

import gambit.chess.game.Result;
import gambit.core.model.Event;
import org.jspecify.annotations.Nullable;

/**
 * The end of a game. Immutable.
 *
 * @param termination the word of the relay's {@code termination} tag; empty if the relay sent none
 * @param record the record of kind 64, or null before it has arrived; aborted games have none
 */
public record GameEnding(Result result, String termination, @Nullable Event record) {}
