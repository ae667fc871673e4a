package gambit.app.bench;

/** Why a measurement cannot go on; the message is a sentence for the operator. */
final class BenchFailure extends Exception {
  private static final long serialVersionUID = 1;

  BenchFailure(String message) {
    super(message);
  }
}
