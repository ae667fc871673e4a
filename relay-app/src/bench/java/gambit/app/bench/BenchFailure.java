package gambit.app.bench;

import gambit.app.tool.client.RelayText;

/** Why a measurement cannot go on; the message is a sentence for the operator. */
final class BenchFailure extends Exception {
  private static final long serialVersionUID = 1;

  BenchFailure(String message) {
    super(message);
  }

  /** The beginning of a text of a relay. */
  static String printable(String text) {
    return RelayText.printable(text, 300);
  }
}
