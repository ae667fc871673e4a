package gambit.app.common;

/**
 * Why a command cannot do its work, or the relay cannot start. The message is one sentence for the
 * operator.
 */
public class CommandFailure extends Exception {
  public CommandFailure(String sentence) {
    super(sentence);
  }

  public final String sentence() {
    return String.valueOf(getMessage());
  }
}
