package gambit.app.demo;

import gambit.app.client.RelayFailed;

/** Why the demonstration did not come to its end, in words for a person. */
final class DemoFailed extends Exception {
  private static final long serialVersionUID = 1;

  DemoFailed(String words) {
    super(words);
  }

  DemoFailed(RelayFailed why) {
    super(why.getMessage());
  }
}
