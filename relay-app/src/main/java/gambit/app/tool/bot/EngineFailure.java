package gambit.app.tool.bot;

/** A UCI engine cannot be used; its message says why, in words for an operator. */
final class EngineFailure extends Exception {
  private static final long serialVersionUID = 1;

  EngineFailure(String message) {
    super(message);
  }
}
