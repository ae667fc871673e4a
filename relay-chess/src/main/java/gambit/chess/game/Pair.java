package gambit.chess.game;

/**
 * Two players of a queue who are paired; their colours are not decided yet.
 *
 * @param first the player who was ahead in the queue
 */
public record Pair<P>(P first, P second) {}
