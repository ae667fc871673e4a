package gambit.chess.game;

/**
 * Two players who leave the lobby for a game; who has which colour is decided elsewhere.
 *
 * @param first the one who was ahead in the queue
 */
public record Pair<P>(P first, P second) {}
