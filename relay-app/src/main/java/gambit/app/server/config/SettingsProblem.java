package gambit.app.server.config;

/**
 * A fault of the configuration. Its message is one sentence for the operator, with a full stop: the
 * place of the setting (file and line, variable or flag), its key and value, and what was expected.
 * It contains no secret. A command that does not catch it ends with the sentence and status 1.
 */
public final class SettingsProblem extends RuntimeException {
  public SettingsProblem(String sentence) {
    super(RedactedText.withoutSecretKeys(sentence)); // it may quote a key in the wrong place
  }

  public String sentence() {
    return String.valueOf(getMessage());
  }
}
