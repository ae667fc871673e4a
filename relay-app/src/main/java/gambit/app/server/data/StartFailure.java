package gambit.app.server.data;

import gambit.app.common.CommandFailure;

/** A start-up failure; its message is one sentence that names the flag to change. */
public class StartFailure extends CommandFailure {
  public StartFailure(String sentence) {
    super(sentence);
  }
}
