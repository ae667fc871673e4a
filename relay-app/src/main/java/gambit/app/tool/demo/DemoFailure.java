package gambit.app.tool.demo;

import gambit.app.tool.client.RelayFailure;

/** A failed demonstration; its message is for the user. */
final class DemoFailure extends Exception {
  private static final long serialVersionUID = 1;

  DemoFailure(String message) {
    super(message);
  }

  DemoFailure(RelayFailure cause) {
    super(cause.getMessage());
  }
}
