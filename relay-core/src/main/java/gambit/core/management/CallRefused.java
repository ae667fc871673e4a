package gambit.core.management;

/** A call that has no effect; the message is a sentence for the caller. */
final class CallRefused extends Exception {
  private static final long serialVersionUID = 1;

  CallRefused(String message) {
    super(message);
  }
}
