package gambit.app.tool.bot;

/** Chooses moves, for any number of games. Used by one thread. */
interface MoveChooser extends AutoCloseable {

  /** Makes ready for the first move, if that takes time. */
  default void prepare() {}

  /**
   * Chooses a move; returns within about the request's patience. An interrupted thread gets a move
   * at once and stays interrupted.
   */
  Choice choose(MoveRequest request);

  @Override
  void close();
}
