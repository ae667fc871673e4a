package gambit.app;

/** A start-up failure; its message is one sentence that names the flag to change. */
final class StartFailure extends Exception {
  private static final long serialVersionUID = 1;

  StartFailure(String sentence) {
    super(sentence);
  }
}
