package gambit.app.tool.client;

import gambit.app.common.CommandFailure;

/** A failed exchange with a relay; its message is for the user. */
public final class RelayFailure extends CommandFailure {
  public RelayFailure(String message) {
    super(message);
  }

  static RelayFailure interrupted() {
    Thread.currentThread().interrupt();
    return new RelayFailure("Interrupted.");
  }
}
