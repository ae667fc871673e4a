package gambit.app;

/** Why the program cannot start, in one sentence that names the flag to change. */
final class CannotStart extends Exception {
  private static final long serialVersionUID = 1;

  CannotStart(String sentence) {
    super(sentence);
  }
}
